import { editCircle, showCircle } from '#server/community/circles.contract.ts';
import { circleIntroductionLimit, circleNameLimit } from '#server/community/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { circleDetail, circleEdit } from '../screens.ts';

const dialog = formDialog({
  call: editCircle,
  at: circleEdit,
  params: circleDetail.at,
  title: '编辑圈子',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { id, name, introduction, seen } = await client.send(showCircle, { params });
  return { values: { name, introduction, seen }, draft: `circle ${id}` };
});

export const action = dialogAction(dialog);

export default dialog.page(({ AreaField, TextField }) => (
  <>
    <TextField name="name" label="圈子名称" withAsterisk limit={circleNameLimit} autoComplete="off" />
    <AreaField name="introduction" label="简介" limit={circleIntroductionLimit} rows={3} />
  </>
));
