/** Asks before one leaves a group: the way back in is not here. */
import { leaveGroup, showGroup } from '#server/community/contract.ts';
import { leaveFault } from '#server/community/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { asks, confirmed } from '../shell/confirm.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/leave';
import { groupLeaving, memberCommunity } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('退出圈子');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const group = await context.get(api).send(showGroup, { params: { id: params.id } });
  mustBeAllowed(context, leaveFault(group));
  return asks(group.name, groupLeaving.behind(url));
}

export const action = ({ params, ...sent }: Route.ActionArgs) =>
  confirmed(sent, memberCommunity.href({ tab: 3 }), (client, idempotencyKey) =>
    client.ask(leaveGroup, { params: { id: params.id }, idempotencyKey }),
  );

export default confirmDialog({
  title: '退出圈子',
  kind: '圈子',
  question: '退出后将看不到该圈子的帖子，确定退出吗？',
  confirm: '确定退出',
});
