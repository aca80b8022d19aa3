/** Asks before one leaves a group: the way back in is not here. */
import { leaveGroup, showGroup } from '#server/community/contract.ts';
import { api } from '../api.server.ts';
import { done, idempotencyField, refused } from '../homework/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
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
  const { name, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="退出圈子" closeHref={closeHref} message={actionData?.msg}>
      <p>
        圈子：<strong>{name}</strong>
      </p>
      <p>退出后将看不到该圈子的帖子，确定退出吗？</p>
      <form method="post">
        <input type="hidden" name="idempotency_key" value={actionData?.key ?? idempotencyKey} />
        <DialogActions>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('danger')}>
            确定退出
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
