import { archiveCircle, showCircle } from '#server/community/circles.contract.ts';
import { circleArchiveFault } from '#server/community/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { circleArchive, circleDetail } from '../screens.ts';

const dialog = confirmDialog({
  call: archiveCircle,
  at: circleArchive,
  params: circleDetail.at,
  verb: '停用',
  kind: '圈子',
  question: '成员和帖子都会保留，可以随时恢复。确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const circle = await client.send(showCircle, { params });
  return { name: circle.name, effect: circle.loss, refusal: circleArchiveFault(circle) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
