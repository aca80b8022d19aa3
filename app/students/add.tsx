/** AdminStudentAdd. They are put into classes afterwards. */
import { addStudent, studentChoices } from '#server/students/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/add';
import { studentAdd, studentRecord, studentScreen } from './screens.ts';
import { StudentFields, writtenStudent } from './student-fields.tsx';
import styles from './students.module.css';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '添加学员' }],
};

export const meta: Route.MetaFunction = () => titled('添加学员');

export async function loader({ context }: Route.LoaderArgs) {
  mustBePermitted(context, addStudent);
  const { schools } = await context.get(api).send(studentChoices);
  return { schools, idempotencyKey: crypto.randomUUID() };
}

export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => studentRecord.href(added),
    (client, idempotencyKey, form) => client.ask(addStudent, { body: writtenStudent(form), idempotencyKey }),
    { href: studentAdd.href(), label: '再添加一名学员' },
  );

const { Form } = formOf<typeof addStudent>();

export default function StudentAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { schools, idempotencyKey } = loaderData;
  return (
    <Screen card title="添加学员">
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ school_id: schools.length === 1 ? schools[0]?.id : '' }}
        draft={studentAdd.id}
        className={styles.form}
        noValidate
      >
        <StudentFields schools={schools} />
        <Submit>添加学员</Submit>
      </Form>
    </Screen>
  );
}
