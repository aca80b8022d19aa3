/**
 * Dialog over the desk that grades equal answers to one question together: lists their students, then takes one score
 * for all.
 */

import { rateChoices } from '#server/grading/rules.ts';
import type { gradeEqualAnswers } from '#server/grading-desk/homework.contract.ts';
import { commentLimit } from '#server/grading-desk/rules.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { api } from '../api/client.server.ts';
import { answerOrErrorPage } from '../api/outcome.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { formatIdPair, parseIdPair } from '../lib/search.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { useField } from '../ui/form-state.ts';
import { Hydrated } from '../ui/hydrated.tsx';
import type { Route } from './+types/equal-answers';
import { closedReason, isRatedDesk } from './desk/desk.ts';
import { callsOf, openDesk } from './desk/desk-calls.server.ts';
import styles from './desk/desk-dialogs.work.module.css';
import { EqualScore } from './equal-score.tsx';
import { equalAnswers, typedMarkOf } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('批改相同的答案');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { screens, ...calls } = callsOf(url);
  const address = screens.desk.at(url);
  const opened = equalAnswers.opened(url);
  const desk = await openDesk({ context, url });
  const question = desk.questions.find(({ id }) => id === address.ques_id);
  const { data: answers } = answerOrErrorPage(await calls.same(context.get(api), address));
  requireAllowed(context, question ? closedReason(desk) : { code: 404, msg: missingQuestion }, opened.closeHref);
  requireAllowed(context, answers.length === 0 ? '没有相同的答案' : undefined, opened.closeHref);
  const { typed_score, typed_comment } = typedMarkOf(url);
  const user_score = typed_score || question?.user_score;
  const review_comment = typed_comment || question?.review_comment;
  return { answers, question, user_score, review_comment, rated: isRatedDesk(desk), ...opened };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const { screens, ...calls } = callsOf(url);
  const address = screens.desk.at(url);
  const { report_id, class_id, ques_id } = address;
  const mark = {
    report_id,
    class_id,
    ques_id,
    version: Number(textOf(form, 'version')),
    user_score: textOf(form, 'user_score'),
    review_comment: textOf(form, 'review_comment'),
    answers: form.getAll('answer').flatMap((chosen) => {
      const [id, version = 0] = parseIdPair(chosen) ?? [];
      return id ? [{ report_id: id, version }] : [];
    }),
  };
  const outcome = await calls.gradeSame(context.get(api), mark, idempotencyField(form));
  if (!outcome.ok) return refusedForm(outcome, form);
  const { batch_id: batch, count } = outcome.data;
  return redirectWithMessage(context, `已为 ${count} 份相同的答案评分`, screens.desk.href({ ...address, batch }));
}

const { AreaField, DialogForm, SelectField } = formOf<typeof gradeEqualAnswers>();

export default function Same({ loaderData, actionData }: Route.ComponentProps) {
  const { answers, question, user_score, review_comment, rated, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="批改相同的答案" closeHref={closeHref} width={560}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ user_score, review_comment }}
        submit="一并评分"
        disabled={answers.length === 0}
        noValidate
        draft={`${closeHref} same ${question?.id ?? ''}`}
      >
        <input type="hidden" name="version" value={question?.version ?? 0} />
        <p>以下 {answers.length} 名学员的答案与本份完全相同，评分将同时用于本份：</p>
        <fieldset className={styles.names} aria-label="学员" data-unkept>
          {answers.map(({ report_id, nickname, class_name, version }) => (
            <label key={report_id}>
              <input type="checkbox" name="answer" value={formatIdPair(report_id, version)} defaultChecked /> {nickname}
              {class_name && <small>{class_name}</small>}
            </label>
          ))}
          {answers.length === 0 && '没有相同的答案'}
        </fieldset>
        {rated ? (
          <SelectField
            name="user_score"
            id="same_score"
            label="本题正确率"
            placeholder="请选择"
            choices={rateChoices.map((rate) => [rate, `${rate}%`] as const)}
          />
        ) : (
          <Score full={question?.ques_score} />
        )}
        <AreaField name="review_comment" id="same_comment" label="评语" limit={commentLimit} rows={3} />
      </DialogForm>
    </Dialog>
  );
}

function Score({ full }: { full: number | undefined }) {
  const { value = '', error } = useField('user_score');
  return <Hydrated name="equal-score.island" component={EqualScore} props={{ value, error, full }} />;
}
