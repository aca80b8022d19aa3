/** Dialog that confirms leaving a group (圈子). Staff cannot join it again by themselves. */
import { leaveGroup, showGroup } from '#server/community/contract.ts';
import { leaveFault } from '#server/community/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { communityGroup, groupLeave, memberCommunity } from './screens.ts';

const dialog = confirmDialog({
  call: leaveGroup,
  at: groupLeave,
  params: communityGroup.at,
  verb: '退出',
  kind: '圈子',
  question: '退出后将看不到该圈子的帖子，确定退出吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const group = await client.send(showGroup, { params });
  return { name: group.name, refusal: leaveFault(group) };
});

export const action = dialogAction(dialog, { next: () => memberCommunity.href({ tab: 3 }) });

export default dialog.Page;
