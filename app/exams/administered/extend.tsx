import { extendExam, showAdministeredExam } from '#server/exams/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { localValue } from '../../lib/dates.ts';
import { textOf } from '../../lib/form-data.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { examExtend, examRecord } from '../screens.ts';
import type { Route } from './+types/extend';

export const meta: Route.MetaFunction = () => titled('延长考试');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, extendExam);
  const exam = await context.get(api).send(showAdministeredExam, { params: { id: examRecord.at(url).id } });
  mustBeAllowed(context, exam.refusals.extend);
  const { timezone } = signedInPerson(context).settings;
  return { exam, end_at: localValue(exam.end_at ?? 0, timezone), ...examExtend.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { timezone } = signedInPerson(sent.context).settings;
  return takeEdit(sent, examExtend.behind(url), (client, idempotencyKey, form) =>
    client.ask(extendExam, {
      params: { id: examRecord.at(url).id },
      body: {
        end_at: readLocalTime(textOf(form, 'end_at'), timezone) ?? null,
        seen: textOf(form, 'seen'),
        acknowledged: textOf(form, 'acknowledged'),
      },
      idempotencyKey,
    }),
  );
};

const { DateTimeField, DialogForm } = formOf<typeof extendExam>();

export default function ExtendExam({ loaderData, actionData }: Route.ComponentProps) {
  const { exam, end_at, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="延长考试" closeHref={closeHref}>
      <p>
        考试：<strong>{exam.name}</strong>
      </p>
      <p>
        <strong>{exam.reach}</strong>会看到新的结束时间{exam.state === 'closed' && '，考试重新开放'}。
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ end_at, acknowledged: exam.reach, seen: exam.seen }}
        submit="确定延长"
      >
        <HiddenField name="acknowledged" />
        <HiddenField name="seen" />
        <DateTimeField name="end_at" label="新的结束时间" withAsterisk />
      </DialogForm>
    </Dialog>
  );
}
