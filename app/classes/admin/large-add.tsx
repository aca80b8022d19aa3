import { classOptions } from '#server/classes/admin.contract.ts';
import { addLargeClass } from '#server/classes/large.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { largeClassAdd } from '../screens.ts';

const dialog = formDialog({
  call: addLargeClass,
  at: largeClassAdd,
  title: '添加大班',
  submit: '添加',
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client }) => {
  const { schools } = await client.send(classOptions);
  return { schools, values: { school_id: schools.length === 1 ? schools[0]?.id : '' } };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField, TextField }, { schools }) => (
  <>
    <p>同一大班的班级共用课表。添加后在班级资料中选择该大班。</p>
    <TextField name="name" label="大班名称" withAsterisk limit={classNameLimit} autoComplete="off" />
    <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
  </>
));
