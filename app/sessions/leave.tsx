/** Dialog over a lesson or the list of lessons: the lecturer takes leave from the lesson. */
import { scheduleDetail, takeLeave } from '#server/sessions/contract.ts';
import { leaveFault } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import { useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/leave';
import { leave, leaveFromList, sessionScreens } from './screens.ts';
import { sessionTime } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('老师请假');

const lessonOf = (url: URL) =>
  leaveFromList.isOpen(url)
    ? { id: leaveFromList.at(url).id, dialog: leaveFromList }
    : { id: sessionScreens.at(url).id, dialog: leave };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, dialog } = lessonOf(url);
  const session = await context.get(api).send(scheduleDetail, { params: { id } });
  requireAllowed(context, leaveFault(session.status));
  return { session, ...dialog.opened(url) };
}

export function action({ url, ...sent }: Route.ActionArgs) {
  const { id, dialog } = lessonOf(url);
  return handleForm(sent, dialog.behind(url), (client, idempotencyKey) =>
    client.ask(takeLeave, { params: { id }, idempotencyKey }),
  );
}

export default function TakeLeave({
  loaderData: { session, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  const timezone = useTimezone();
  const fault = leaveFault(session.status);
  return (
    <Dialog title="老师请假" closeHref={closeHref} message={fault && (actionData?.msg ?? fault)}>
      <p>
        {session.class_name} · {sessionTime(session, timezone)}
      </p>
      {fault === undefined && <p>请假后该课次将取消，并短信通知学员，确定请假吗？</p>}
      {fault === undefined ? (
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          submit="确定请假"
          tone="danger"
        />
      ) : (
        <DialogClose closeHref={closeHref} words="返回" />
      )}
    </Dialog>
  );
}
