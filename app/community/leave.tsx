/** Asks before one leaves a group: the way back in is not here. */
import { leaveGroup, showGroup } from '#server/community/contract.ts';
import { leaveFault } from '#server/community/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmed } from '../shell/confirm.server.ts';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/leave';
import { communityGroup, groupLeaving, memberCommunity } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('退出圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  const group = await context.get(api).send(showGroup, { params: { id: communityGroup.at(url).id } });
  mustBeAllowed(context, leaveFault(group));
  return { name: group.name, ...groupLeaving.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  confirmed(sent, memberCommunity.href({ tab: 3 }), (client, idempotencyKey) =>
    client.ask(leaveGroup, { params: { id: communityGroup.at(url).id }, idempotencyKey }),
  );

export default confirmDialog({
  title: '退出圈子',
  kind: '圈子',
  question: '退出后将看不到该圈子的帖子，确定退出吗？',
  confirm: '确定退出',
});
