/** Equal answers as a dialog: whose they are first, then one mark for all of them. */
import { redirect } from 'react-router';
import { rateChoices, rated, sameAnswers, storeSame } from '#server/correction/contract.ts';
import { api } from '../api.server.ts';
import { idempotencyField, refused } from '../shell/dialog-action.server.ts';
import { getSession } from '../shell/session.server.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/same';
import { addressSearch, readAddress } from './address.ts';
import type { DeskQuestion } from './desk.ts';
import styles from './desk-dialogs.module.css';
import { homeworkCalls } from './homework-calls.server.ts';
import { homeworkPlaces } from './places.ts';

export const meta: Route.MetaFunction = () => [{ title: '批改相同的答案 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const address = readAddress(url.searchParams);
  const { report_id, class_id, ques_id } = address;
  const answers = await client.send(sameAnswers, { body: { report_id, class_id, ques_id } });
  const desk = await homeworkCalls.open(client, address);
  const question = desk.ok ? desk.data.questions.find(({ id }) => id === ques_id) : undefined;
  return {
    answers,
    question,
    isRated: desk.ok && desk.data.report.is_set_score === rated,
    closeHref: `${homeworkPlaces.base}${addressSearch(address)}`,
    key: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const address = readAddress(url.searchParams);
  const { report_id, class_id, ques_id } = address;
  const answers = form.getAll('answer').flatMap((chosen) => {
    const [id, version] = String(chosen).split(':').map(Number);
    return id && version !== undefined ? [{ report_id: id, version }] : [];
  });
  const outcome = await context.get(api).ask(storeSame, {
    body: {
      report_id,
      class_id,
      ques_id,
      version: Number(form.get('version') ?? 0),
      user_score: String(form.get('user_score') ?? ''),
      review_comment: String(form.get('review_comment') ?? ''),
      answers,
    },
    idempotencyKey: idempotencyField(form),
  });
  if (!outcome.ok) return refused(outcome, form);
  const { batch_id: batch, count } = outcome.data;
  getSession(context).flash('flash', { kind: 'success', msg: `已为 ${count} 份相同的答案评分` });
  throw redirect(`${homeworkPlaces.base}${addressSearch({ ...address, batch })}`);
}

export default function Same({ loaderData, actionData }: Route.ComponentProps) {
  const { answers, question, isRated, closeHref, key } = loaderData;
  const typed = new Map<string, string>(actionData?.typed);
  const error = actionData?.errors?.user_score?.[0];
  return (
    <Dialog title="批改相同的答案" closeHref={closeHref} message={error ? undefined : actionData?.msg} width={560}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={actionData?.key ?? key}
        submit="一并评分"
        disabled={answers.length === 0}
        noValidate
        className={styles.fields}
      >
        <input type="hidden" name="version" value={question?.version ?? 0} />
        <p>以下 {answers.length} 名学员的答案与本份完全相同，评分将同时用于本份：</p>
        <fieldset className={styles.names} aria-label="学员">
          {answers.map(({ report_id, nickname, class_name, version }) => (
            <label key={report_id}>
              <input type="checkbox" name="answer" value={`${report_id}:${version}`} defaultChecked /> {nickname}
              <small>{class_name}</small>
            </label>
          ))}
          {answers.length === 0 && '没有相同的答案'}
        </fieldset>
        <Field label={isRated ? '本题正确率' : '得分'} id="same_score" error={error}>
          <MarkField question={question} isRated={isRated} typed={typed.get('user_score')} error={error} />
        </Field>
        <Field label="评语" id="same_comment" error={actionData?.errors?.review_comment?.[0]}>
          <textarea
            id="same_comment"
            name="review_comment"
            rows={3}
            className={controlClass}
            defaultValue={typed.get('review_comment') ?? question?.review_comment}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
}

interface MarkFieldProps {
  question: DeskQuestion | undefined;
  isRated: boolean;
  typed: string | undefined;
  error: string | undefined;
}

function MarkField({ question, isRated, typed, error }: MarkFieldProps) {
  const present = typed ?? (question?.user_score === null ? '' : String(question?.user_score ?? ''));
  const common = {
    id: 'same_score',
    name: 'user_score',
    className: controlClass,
    defaultValue: present,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? 'same_score-error' : undefined,
  };
  if (!isRated) return <input {...common} inputMode="decimal" placeholder={`0 – ${question?.ques_score ?? ''}`} />;
  return (
    <select {...common}>
      <option value="">请选择</option>
      {rateChoices.map((rate) => (
        <option key={rate} value={rate}>
          {rate}%
        </option>
      ))}
    </select>
  );
}
