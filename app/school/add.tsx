import { everySchoolFault, schoolNameLimit } from '#server/school/rules.ts';
import { addSchoolRecord } from '#server/school/schools.contract.ts';
import { readForm } from '../lib/form-data.ts';
import { forbiddenBy, mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/add';
import { schoolAdd } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('添加学校');

export function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addSchoolRecord);
  const everySchool = signedInPerson(context).every_school === 1;
  mustBeAllowed(context, forbiddenBy(everySchoolFault({ everySchool })));
  return schoolAdd.opened(url);
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, schoolAdd.behind(url), (client, idempotencyKey, form) =>
    client.ask(addSchoolRecord, { body: readForm(addSchoolRecord, form), idempotencyKey }),
  );

const { DialogForm, TextField } = formOf<typeof addSchoolRecord>();

export default function AddSchool({ loaderData, actionData }: Route.ComponentProps) {
  const { closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="添加学校" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="添加"
        draft="school add"
      >
        <TextField name="name" label="学校名称" withAsterisk limit={schoolNameLimit} autoComplete="off" />
      </DialogForm>
    </Dialog>
  );
}
