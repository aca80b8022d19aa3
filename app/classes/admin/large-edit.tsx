import { editLargeClass, showLargeClass } from '#server/classes/large.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { largeClassEdit } from '../screens.ts';

const dialog = formDialog({
  call: editLargeClass,
  at: largeClassEdit,
  params: largeClassEdit.at,
  title: '修改大班',
  submit: '保存',
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { name, seen } = await client.send(showLargeClass, { params });
  return { values: { name, seen } };
});

export const action = dialogAction(dialog);

export default dialog.page(({ TextField }) => (
  <TextField name="name" label="大班名称" withAsterisk limit={classNameLimit} autoComplete="off" />
));
