import { deleteStudent, showStudent } from '#server/students/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/delete';
import { studentDelete, studentRecord, studentScreen } from './screens.ts';

const dialog = confirmDialog({
  verb: '删除',
  kind: '学员',
  question: '该学员没有任何记录，删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteStudent);
  const student = await context.get(api).send(showStudent, { params: { id: studentRecord.at(url).id } });
  mustBeAllowed(context, student.records || undefined);
  return { name: student.nickname, ...studentDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, studentScreen.href(), (client, idempotencyKey) =>
    client.ask(deleteStudent, { params: { id: studentRecord.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
