/** Asks before one leaves a group: the way back in is not here. */
import { leaveGroup, showGroup } from '#server/community/contract.ts';
import { api } from '../api.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/leave';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '退出圈子 · 教学后台' }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id, name } = await context.get(api).send(showGroup, { params: { id: params.id } });
  return { name, closeHref: `/community/group/${id}`, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(leaveGroup, { params: { id: params.id }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, '/community?tab=3') : refused(outcome, form);
}

export default function LeaveGroup({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmDialog
      {...loaderData}
      title="退出圈子"
      kind="圈子"
      question="退出后将看不到该圈子的帖子，确定退出吗？"
      confirm="确定退出"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
