import { restoreCircle, showCircle } from '#server/community/circles.contract.ts';
import { circleRestoreFault } from '#server/community/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { circleDetail, circleRestore } from '../screens.ts';

const dialog = confirmDialog({
  call: restoreCircle,
  at: circleRestore,
  params: circleDetail.at,
  verb: '恢复',
  kind: '圈子',
  question: '恢复后成员重新看到该圈子及其帖子，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const circle = await client.send(showCircle, { params });
  return { name: circle.name, refusal: circleRestoreFault(circle) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
