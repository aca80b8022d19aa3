import { leftReasonLimit } from '#server/classes/rules.ts';
import { disableStudent, showStudent } from '#server/students/contract.ts';
import { disabledFault } from '#server/students/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/disable';
import { studentDisable, studentRecord } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('停用学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, disableStudent);
  const student = await context.get(api).send(showStudent, { params: { id: studentRecord.at(url).id } });
  mustBeAllowed(context, disabledFault(student));
  return { student, ...studentDisable.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, studentDisable.behind(url), (client, idempotencyKey, form) =>
    client.ask(disableStudent, {
      params: { id: studentRecord.at(url).id },
      body: { reason: textOf(form, 'reason'), acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm, TextField } = formOf<typeof disableStudent>();

export default function DisableStudent({ loaderData, actionData }: Route.ComponentProps) {
  const { student, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="停用学员" closeHref={closeHref}>
      <p>
        学员：<strong>{student.nickname}</strong>
      </p>
      {student.leaving && (
        <p>
          <strong>{student.leaving}。</strong>
        </p>
      )}
      <p>停用后不能再加入班级；记录都会保留，可以随时恢复。确定停用吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: student.leaving }}
        submit="确定停用"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
        <TextField name="reason" label="原因" limit={leftReasonLimit} autoComplete="off" />
      </DialogForm>
    </Dialog>
  );
}
