/** Edits a student. Shows conflicts with changes of others. */
import { editStudent, showStudent, studentChoices } from '#server/students/contract.ts';
import { erasedFault } from '#server/students/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { studentEdit, studentRecord, studentScreen } from './screens.ts';
import { StudentFields } from './student-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '编辑学员' }],
};

const screen = formScreen({
  call: editStudent,
  params: studentEdit.at,
  back: (url) => studentRecord.href(studentEdit.at(url)),
  title: '编辑学员',
  submit: '保存',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, params }) => {
  const [student, { schools }] = await Promise.all([client.send(showStudent, { params }), client.send(studentChoices)]);
  const { id, nickname, number, mobile, guardian_mobile, school_id, seen } = student;
  return {
    subject: nickname,
    schools,
    values: { nickname, number, mobile, guardian_mobile, school_id, seen },
    draft: `${studentEdit.id} ${id}`,
    refusal: erasedFault(student),
  };
});

export const action = dialogAction(screen);

export default screen.page<typeof loader>((_, { schools }) => <StudentFields schools={schools} />);
