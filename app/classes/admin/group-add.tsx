import { showAdminClass } from '#server/classes/admin.contract.ts';
import { addClassGroup } from '#server/classes/groups.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { adminClass, classGroupAdd } from '../screens.ts';
import { GroupFields } from './group-fields.tsx';

const dialog = formDialog({
  call: addClassGroup,
  at: classGroupAdd,
  params: adminClass.at,
  title: '添加分组',
  submit: '添加',
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { courses, assistants } = await client.send(showAdminClass, { params });
  return { courses, assistants, values: { course_id: courses.length === 1 ? courses[0]?.id : '' } };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ SelectField }, { courses, assistants }) => (
  <>
    <SelectField
      name="course_id"
      label="课程"
      withAsterisk
      placeholder="请选择"
      choices={courses.map(({ id, title }) => [id, title] as const)}
    />
    <GroupFields assistants={assistants} />
  </>
));
