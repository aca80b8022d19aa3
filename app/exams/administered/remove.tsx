import { removeExam, showAdministeredExam } from '#server/exams/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { administeredExams, examRecord, examRemove } from '../screens.ts';
import type { Route } from './+types/remove';

const dialog = confirmDialog({ verb: '删除', kind: '考试', question: '草稿和试卷中的题目会一起删除，确定删除吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, removeExam);
  const exam = await context.get(api).send(showAdministeredExam, { params: { id: examRecord.at(url).id } });
  mustBeAllowed(context, exam.refusals.remove);
  return { name: exam.name, ...examRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, administeredExams.href(), (client, idempotencyKey) =>
    client.ask(removeExam, { params: { id: examRecord.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
