/** Dialog over the desk that finishes a report. Refused while an answer waits for its score. */
import { ungradedAnswersMessage } from '#server/grading/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/finish';
import { addressOfReport } from './desk/address.ts';
import { closedReason, isWaiting } from './desk/desk.ts';
import { callsOf, nextAssignmentMessage, openDesk } from './desk/desk-calls.server.ts';
import { FinishFields } from './finish-fields.tsx';
import { finish, gradingEndHref } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('完成批改');

export async function loader({ context, url }: Route.LoaderArgs) {
  const desk = await openDesk({ context, url });
  const opened = finish.opened(url);
  requireAllowed(
    context,
    closedReason(desk) ?? (desk.subjective.some(isWaiting) ? ungradedAnswersMessage : undefined),
    opened.closeHref,
  );
  return opened;
}

/** Finishes the report. Then opens the next report, or returns to the page where grading was started. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const { screens, ...calls } = callsOf(url);
  const address = screens.desk.at(url);
  const { report_id, class_id, skip } = address;
  const body = { report_id, class_id, skip: [...skip], comment: textOf(form, 'comment') };
  const outcome = await calls.finish(context.get(api), body, idempotencyField(form));
  if (!outcome.ok) return refusedForm(outcome, form);
  const { next_report_id: next, exam_id } = outcome.data;
  const settings = signedInPerson(context).settings;
  const notice =
    next === null ? undefined : await nextAssignmentMessage(calls, context.get(api), { address, next, settings });
  const onwards =
    next === null ? gradingEndHref(screens, address, exam_id) : screens.desk.href(addressOfReport(address, next));
  return redirectWithMessage(context, [outcome.msg, notice].filter(Boolean).join('，'), onwards);
}

export default function Finish({ loaderData, actionData }: Route.ComponentProps) {
  const { closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="完成批改" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="完成批改"
        noValidate
        draft={`finish ${closeHref}`}
      >
        <FinishFields />
      </DialogForm>
    </Dialog>
  );
}
