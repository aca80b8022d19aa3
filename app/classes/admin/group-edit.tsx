import { showAdminClass } from '#server/classes/admin.contract.ts';
import { editClassGroup, showClassGroup } from '#server/classes/groups.contract.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formDialog } from '../../shell/form-dialog.tsx';
import { adminClass, classGroupEdit } from '../screens.ts';
import { GroupFields } from './group-fields.tsx';

const dialog = formDialog({
  call: editClassGroup,
  at: classGroupEdit,
  params: (url) => ({ id: adminClass.at(url).id, groupId: classGroupEdit.at(url).group }),
  title: '编辑分组',
  submit: '保存',
  noValidate: true,
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const [{ assistants }, { course_title, group_name, staff, seen }] = await Promise.all([
    client.send(showAdminClass, { params }),
    client.send(showClassGroup, { params }),
  ]);
  return { assistants, course_title, values: { group_name, staff_ids: staff.map(({ id }) => id), seen } };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>((_, { course_title, assistants }) => (
  <>
    <p>课程：{course_title}</p>
    <GroupFields assistants={assistants} />
  </>
));
