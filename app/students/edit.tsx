/** AdminStudentEdit: what is written of a student, with what somebody else has made of it meanwhile. */
import { editStudent, showStudent, studentChoices } from '#server/students/contract.ts';
import { erasedFault } from '#server/students/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/edit';
import { studentEdit, studentRecord, studentScreen } from './screens.ts';
import { StudentFields, writtenStudent } from './student-fields.tsx';
import styles from './students.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '编辑学员' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑学员', loaderData?.student.nickname);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editStudent);
  const client = context.get(api);
  const [student, { schools }] = await Promise.all([
    client.send(showStudent, { params: { id: studentEdit.at(url).id } }),
    client.send(studentChoices),
  ]);
  mustBeAllowed(context, erasedFault(student));
  return { student, schools, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = studentEdit.at(url);
  return takeEdit(sent, studentRecord.href({ id }), (client, idempotencyKey, form) =>
    client.ask(editStudent, { params: { id }, body: writtenStudent(form), idempotencyKey }),
  );
};

const { Form } = formOf<typeof editStudent>();

export default function StudentEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { student, schools, idempotencyKey } = loaderData;
  const { id, nickname, number, mobile, guardian_mobile, school_id, seen } = student;
  return (
    <Screen card title="编辑学员">
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ nickname, number, mobile, guardian_mobile, school_id, seen }}
        draft={`${studentEdit.id} ${id}`}
        className={styles.form}
        noValidate
      >
        <HiddenField name="seen" />
        <StudentFields schools={schools} />
        <Submit>保存</Submit>
      </Form>
    </Screen>
  );
}
