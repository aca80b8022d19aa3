import { enableStudent, showStudent } from '#server/students/contract.ts';
import { enabledFault } from '#server/students/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/enable';
import { studentEnable, studentRecord } from './screens.ts';

const dialog = confirmDialog({
  verb: '恢复',
  kind: '学员',
  question: '恢复后可以重新加入班级，之前的班级不会自动恢复，确定恢复吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, enableStudent);
  const student = await context.get(api).send(showStudent, { params: { id: studentRecord.at(url).id } });
  mustBeAllowed(context, enabledFault(student));
  return { name: student.nickname, ...studentEnable.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, studentEnable.behind(url), (client, idempotencyKey) =>
    client.ask(enableStudent, { params: { id: studentRecord.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
