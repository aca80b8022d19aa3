import { enableStudent, showStudent } from '#server/students/contract.ts';
import { faultIfEnabled } from '#server/students/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { studentEnable, studentRecord } from './screens.ts';

const dialog = confirmDialog({
  call: enableStudent,
  at: studentEnable,
  params: studentRecord.at,
  verb: '恢复',
  kind: '学员',
  question: '恢复后可以重新加入班级，之前的班级不会自动恢复，确定恢复吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const student = await client.send(showStudent, { params });
  return { name: student.nickname, refusal: faultIfEnabled(student) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
