import { publishExam, showAdminExam } from '#server/exams/admin.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { handleEdit } from '../../shell/form-action.server.ts';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { examPublish, examRecord } from '../screens.ts';
import type { Route } from './+types/publish';
import { PublishFaults } from './faults.tsx';

export const meta: Route.MetaFunction = () => titleMeta('发布考试');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, publishExam);
  const exam = await context.get(api).send(showAdminExam, { params: { id: examRecord.at(url).id } });
  requireAllowed(context, exam.refusals.publish);
  return { exam, ...examPublish.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleEdit(sent, examPublish.behind(url), (client, idempotencyKey, form) =>
    client.ask(publishExam, {
      params: { id: examRecord.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof publishExam>();

export default function PublishExam({ loaderData, actionData }: Route.ComponentProps) {
  const { exam, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="发布考试" closeHref={closeHref}>
      <p>
        考试：<strong>{exam.name}</strong>
      </p>
      {exam.faults.length > 0 ? (
        <>
          <PublishFaults faults={exam.faults} />
          <DialogClose closeHref={closeHref} words="知道了" />
        </>
      ) : (
        <>
          <p>
            发布给：<strong>{exam.reach}</strong>
          </p>
          <p>发布后试卷、时间、时长、次数和学校不能再修改。</p>
          <DialogForm
            closeHref={closeHref}
            idempotencyKey={idempotencyKey}
            refused={actionData}
            values={{ acknowledged: exam.reach }}
            submit="确定发布"
          >
            <HiddenField name="acknowledged" />
          </DialogForm>
        </>
      )}
    </Dialog>
  );
}
