import { schoolNameLimit } from '#server/school/rules.ts';
import { editSchoolRecord, showSchoolRecord } from '#server/school/schools.contract.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { mustBePermitted } from '../shell/allowed.server.ts';
import { takeEdit } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import type { Route } from './+types/edit';
import { schoolEdit } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('编辑学校');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editSchoolRecord);
  const school = await context.get(api).send(showSchoolRecord, { params: { id: schoolEdit.at(url).id } });
  return { school, ...schoolEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, schoolEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editSchoolRecord, {
      params: { id: schoolEdit.at(url).id },
      body: readForm(editSchoolRecord, form),
      idempotencyKey,
    }),
  );

const { DialogForm, TextField } = formOf<typeof editSchoolRecord>();

export default function EditSchool({ loaderData, actionData }: Route.ComponentProps) {
  const { school, closeHref, idempotencyKey } = loaderData;
  const { name, seen, records } = school;
  return (
    <Dialog title="编辑学校" closeHref={closeHref}>
      {records && <p>该校有{records}，改名后各处显示新名称。</p>}
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ name, seen }}
        submit="保存"
        draft={`school ${school.id}`}
      >
        <HiddenField name="seen" />
        <TextField name="name" label="学校名称" withAsterisk limit={schoolNameLimit} autoComplete="off" />
      </DialogForm>
    </Dialog>
  );
}
