/** Dialog over the desk that finishes every report of the homework or exam whose answers are all graded. */
import { api } from '../api/client.server.ts';
import { answerOrErrorPage } from '../api/outcome.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/finish-all';
import { addressOfReport } from './desk/address.ts';
import { callsOf, nextAssignmentMessage, openDesk } from './desk/desk-calls.server.ts';
import { finishAll, gradingEndHref } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('完成批改');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { words } = await openDesk({ context, url });
  const { screens, countFinishable } = callsOf(url);
  const { data: count } = answerOrErrorPage(await countFinishable(context.get(api), screens.desk.at(url)));
  const opened = finishAll.opened(url);
  const none = count === 0 ? `没有可以完成批改的${words.report}` : undefined;
  requireAllowed(context, none, opened.closeHref);
  return { ...opened, words, count };
}

/**
 * Finishes the reports. Then opens the next report in the mode by student, or returns to the page where grading was
 * started.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const { screens, words, ...calls } = callsOf(url);
  const address = screens.desk.at(url);
  const { report_id, class_id, skip } = address;
  const body = { report_id, class_id, skip: [...skip] };
  const outcome = await calls.finishAll(context.get(api), body, idempotencyField(form));
  if (!outcome.ok) return refusedForm(outcome, form);
  const { count, next_report_id: next, exam_id } = outcome.data;
  const settings = signedInPerson(context).settings;
  const notice =
    next === null ? undefined : await nextAssignmentMessage(calls, context.get(api), { address, next, settings });
  const onwards =
    next === null
      ? gradingEndHref(screens, address, exam_id)
      : screens.desk.href(addressOfReport({ ...address, by: undefined, order: undefined }, next));
  return redirectWithMessage(
    context,
    [`已完成 ${count} 份${words.report}的批改`, notice].filter(Boolean).join('，'),
    onwards,
  );
}

export default function FinishAll({ loaderData, actionData }: Route.ComponentProps) {
  const { words, count, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title={`完成全部已批改的${words.report}`} closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="完成批改"
        disabled={count === 0}
      >
        <p>
          本{words.assignment}有 {count} 份{words.report}的题目已全部批改。完成后不能再修改评分。
        </p>
      </DialogForm>
    </Dialog>
  );
}
