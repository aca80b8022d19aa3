import { showAdministeredExam, withdrawExam } from '#server/exams/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { examRecord, examWithdraw } from '../screens.ts';
import type { Route } from './+types/withdraw';

export const meta: Route.MetaFunction = () => titled('撤回考试');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, withdrawExam);
  const exam = await context.get(api).send(showAdministeredExam, { params: { id: examRecord.at(url).id } });
  mustBeAllowed(context, exam.refusals.withdraw);
  return { exam, ...examWithdraw.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, examWithdraw.behind(url), (client, idempotencyKey, form) =>
    client.ask(withdrawExam, {
      params: { id: examRecord.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof withdrawExam>();

export default function WithdrawExam({ loaderData, actionData }: Route.ComponentProps) {
  const { exam, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="撤回考试" closeHref={closeHref}>
      <p>
        考试：<strong>{exam.name}</strong>
      </p>
      <p>
        <strong>{exam.reach}</strong>。撤回后学员和老师看不到该考试，回到草稿后可以修改试卷再发布。
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: exam.reach }}
        submit="确定撤回"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
