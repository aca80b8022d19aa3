import { deletePoint, showPoint } from '#server/questions/points.contract.ts';
import { pointInUseFault } from '#server/questions/points.rules.ts';
import { countsText } from '#server/school/rules.ts';
import { requireEverySchool } from '../../catalogue/shared.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { pointDelete } from '../screens.ts';

const dialog = confirmDialog({
  call: deletePoint,
  at: pointDelete,
  params: pointDelete.at,
  verb: '删除',
  kind: '知识点',
  question: '删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, context, params }) => {
  const { name, children, questions } = await client.send(showPoint, { params });
  requireEverySchool(context, 'subjects');
  const uses = countsText([
    [children, '个下级'],
    [questions, '道题目'],
  ]);
  return { name, refusal: pointInUseFault(uses) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
