import { closeExam, showAdministeredExam } from '#server/exams/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { examClose, examRecord } from '../screens.ts';
import type { Route } from './+types/close';

export const meta: Route.MetaFunction = () => titled('结束考试');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, closeExam);
  const exam = await context.get(api).send(showAdministeredExam, { params: { id: examRecord.at(url).id } });
  mustBeAllowed(context, exam.refusals.close);
  return { exam, ...examClose.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, examClose.behind(url), (client, idempotencyKey, form) =>
    client.ask(closeExam, {
      params: { id: examRecord.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof closeExam>();

export default function CloseExam({ loaderData, actionData }: Route.ComponentProps) {
  const { exam, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="结束考试" closeHref={closeHref}>
      <p>
        考试：<strong>{exam.name}</strong>
      </p>
      <p>
        <strong>{exam.closing}</strong>。结束后不能再提交，已交的答卷照常批改；以后可以延长。
      </p>
      {exam.taking > 0 && <p>有{exam.taking}名学员正在作答，结束时由系统按已保存的答案交卷。</p>}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: exam.closing }}
        submit="确定结束"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
