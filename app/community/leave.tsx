/** Dialog that confirms leaving a circle (圈子). Staff cannot join it again by themselves. */
import { leaveCircle, showOwnCircle } from '#server/community/contract.ts';
import { leaveFault } from '#server/community/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { communityCircle, communityCircleLeave, memberCommunity } from './screens.ts';

const dialog = confirmDialog({
  call: leaveCircle,
  at: communityCircleLeave,
  params: communityCircle.at,
  verb: '退出',
  kind: '圈子',
  question: '退出后将看不到该圈子的帖子，确定退出吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const circle = await client.send(showOwnCircle, { params });
  return { name: circle.name, refusal: leaveFault(circle) };
});

export const action = dialogAction(dialog, { next: () => memberCommunity.href({ tab: 3 }) });

export default dialog.Page;
