import { editSchoolRecord, showSchoolRecord } from '#server/schools/contract.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { schoolEdit } from './screens.ts';

const dialog = formDialog({
  call: editSchoolRecord,
  at: schoolEdit,
  params: schoolEdit.at,
  title: '编辑学校',
  submit: '保存',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { id, name, seen, records } = await client.send(showSchoolRecord, { params });
  return { records, values: { name, seen }, draft: `school ${id}` };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ TextField }, { records }) => (
  <>
    {records && <p>该校有{records}，改名后各处显示新名称。</p>}
    <TextField name="name" label="学校名称" withAsterisk limit={schoolNameLimit} autoComplete="off" />
  </>
));
