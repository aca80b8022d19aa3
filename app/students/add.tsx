/** Form that adds a student. Classes are assigned later. */
import { addStudent, studentChoices } from '#server/students/contract.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formScreen } from '../shell/form-screen.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { studentAdd, studentRecord, studentScreen } from './screens.ts';
import { StudentFields } from './student-fields.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '添加学员' }],
};

const screen = formScreen({
  call: addStudent,
  back: () => studentScreen.href(),
  title: '添加学员',
  submit: '添加学员',
  draft: studentAdd.id,
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client }) => {
  const { schools } = await client.send(studentChoices);
  return { schools, values: { school_id: schools.length === 1 ? schools[0]?.id : '' } };
});

export const action = dialogAction(screen, {
  next: (_, added) => studentRecord.href(added),
  onwards: () => ({ href: studentAdd.href(), label: '再添加一名学员' }),
});

export default screen.page<typeof loader>((_, { schools }) => <StudentFields schools={schools} />);
