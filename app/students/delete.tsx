import { deleteStudent, showStudent } from '#server/students/contract.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { studentDelete, studentRecord, studentScreen } from './screens.ts';

const dialog = confirmDialog({
  call: deleteStudent,
  at: studentDelete,
  params: studentRecord.at,
  verb: '删除',
  kind: '学员',
  question: '该学员没有任何记录，删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const student = await client.send(showStudent, { params });
  return { name: student.nickname, refusal: student.records };
});

export const action = dialogAction(dialog, { next: () => studentScreen.href() });

export default dialog.Page;
