/** The dialog that reports a mistake in a question of the public bank. */
import { correctQuestion } from '#server/questions/contract.ts';
import { correctionLimit, correctionTypes } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/correction';
import styles from './correction.module.css';
import { questionDetail, reportMistake } from './screens.ts';
import { correctionTypeNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('题目纠错');

export function loader({ url }: Route.LoaderArgs) {
  return { id: questionDetail.at(url).id, closeHref: reportMistake.behind(url), key: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(correctQuestion, {
    body: {
      ques_id: questionDetail.at(url).id,
      type: String(form.get('type') ?? ''),
      error_msg: String(form.get('error_msg') ?? '').replace(/\r\n/g, '\n'),
    },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, reportMistake.behind(url)) : refused(outcome, form);
}

export default function CorrectQuestion({ loaderData: { id, closeHref, key }, actionData }: Route.ComponentProps) {
  const typed = new Map(actionData?.typed);
  const errors = actionData?.errors;
  return (
    <Dialog title="题目纠错" closeHref={closeHref} message={errors ? undefined : actionData?.msg} width={520}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={actionData?.key ?? key}
        submit="提交"
        noValidate
        draft={`question error ${id}`}
      >
        <fieldset className={styles.types} aria-describedby={errors?.type ? 'type-error' : undefined}>
          <legend>
            纠错类型<span aria-hidden="true"> *</span>
          </legend>
          {correctionTypes.map((type) => (
            <label key={type}>
              <input type="radio" name="type" value={type} defaultChecked={typed.get('type') === String(type)} />
              {correctionTypeNames[type]}
            </label>
          ))}
          {errors?.type && (
            <p className={styles.error} id="type-error">
              {errors.type[0]}
            </p>
          )}
        </fieldset>
        <Field
          label="纠错内容"
          id="error_msg"
          error={errors?.error_msg?.[0]}
          hint={`最多 ${correctionLimit} 个字`}
          required
        >
          <textarea
            id="error_msg"
            name="error_msg"
            rows={6}
            maxLength={correctionLimit}
            defaultValue={typed.get('error_msg')}
            aria-invalid={errors?.error_msg ? true : undefined}
            aria-describedby={errors?.error_msg ? 'error_msg-error' : undefined}
            className={controlClass}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
}
