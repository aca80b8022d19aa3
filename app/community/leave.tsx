/** Asks before one leaves a group: the way back in is not here. */
import { leaveGroup, showGroup } from '#server/community/contract.ts';
import { leaveFault } from '#server/community/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/leave';
import { communityGroup, groupLeaving, memberCommunity } from './screens.ts';

const dialog = confirmDialog({ verb: '退出', kind: '圈子', question: '退出后将看不到该圈子的帖子，确定退出吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const group = await context.get(api).send(showGroup, { params: { id: communityGroup.at(url).id } });
  mustBeAllowed(context, leaveFault(group));
  return { name: group.name, ...groupLeaving.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, memberCommunity.href({ tab: 3 }), (client, idempotencyKey) =>
    client.ask(leaveGroup, { params: { id: communityGroup.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
