/** A lecturer takes leave from a lesson: over the list, or over the lesson's own screen. */
import { scheduleDetail, takeLeave } from '#server/sessions/contract.ts';
import { leaveFault } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { useTimezone } from '../shell/use-school.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/leave';
import { groupSession, leave, leaveFromList } from './screens.ts';
import { sessionTime } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('老师请假');

const place = (params: { id?: string | undefined }, url: URL) =>
  params.id === undefined
    ? { id: groupSession.at(url).id, back: leave.behind(url) }
    : { id: params.id, back: leaveFromList.behind(url) };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id, back } = place(params, url);
  const session = await context.get(api).send(scheduleDetail, { params: { id } });
  mustBeAllowed(context, leaveFault(session.status));
  return { session, back, key: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id, back } = place(params, url);
  const form = await request.formData();
  const outcome = await context.get(api).ask(takeLeave, { params: { id }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, back) : refused(outcome, form);
}

export default function TakeLeave({ loaderData: { session, back, key }, actionData }: Route.ComponentProps) {
  const timezone = useTimezone();
  const fault = leaveFault(session.status);
  return (
    <Dialog title="老师请假" closeHref={back} message={fault && (actionData?.msg ?? fault)}>
      <p>
        {session.class_name} · {sessionTime(session, timezone)}
      </p>
      {fault === undefined && <p>请假后该课次将取消，并短信通知学员，确定请假吗？</p>}
      {fault === undefined ? (
        <DialogForm closeHref={back} idempotencyKey={key} refused={actionData} submit="确定请假" tone="danger" />
      ) : (
        <DialogClose closeHref={back} words="返回" />
      )}
    </Dialog>
  );
}
