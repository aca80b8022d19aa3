import { removeExam, showAdminExam } from '#server/exams/admin.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { adminExams, examRecord, examRemove } from '../screens.ts';

const dialog = confirmDialog({
  call: removeExam,
  at: examRemove,
  params: examRecord.at,
  verb: '删除',
  kind: '考试',
  question: '草稿和试卷中的题目会一起删除，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const exam = await client.send(showAdminExam, { params });
  return { name: exam.name, refusal: exam.refusals.remove };
});

export const action = dialogAction(dialog, { next: () => adminExams.href() });

export default dialog.Page;
