/** Asks before a meeting is deleted, over the class that it is of. */
import { data } from 'react-router';
import { deleteMeeting, showMeeting } from '#server/meetings/contract.ts';
import { api } from '../api.server.ts';
import { classScreen } from '../classes/tabs/tab.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/delete';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '删除班会 · 教学后台' }];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const meeting = await context.get(api).send(showMeeting, { params: { id: params.meeting } });
  if (meeting.is_can_edit === 0) throw data({ msg: '只有班主任可以删除班会' }, { status: 403 });
  return { name: meeting.meeting_name, closeHref: classScreen(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(deleteMeeting, { params: { id: params.meeting }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, classScreen(url)) : refused(outcome, form);
}

export default function DeleteMeeting({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmDialog
      {...loaderData}
      title="删除班会"
      kind="班会"
      question="删除后数据无法恢复，确定删除本次班会吗?"
      confirm="确定删除"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
