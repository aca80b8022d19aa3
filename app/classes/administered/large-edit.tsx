import { editLargeClass, showLargeClass } from '#server/classes/administered.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { largeClassEdit } from '../screens.ts';
import type { Route } from './+types/large-edit';

export const meta: Route.MetaFunction = () => titled('修改大班');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editLargeClass);
  const large = await context.get(api).send(showLargeClass, { params: { id: largeClassEdit.at(url).id } });
  return { large, ...largeClassEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, largeClassEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editLargeClass, {
      params: { id: largeClassEdit.at(url).id },
      body: readForm(editLargeClass, form),
      idempotencyKey,
    }),
  );

const { DialogForm, TextField } = formOf<typeof editLargeClass>();

export default function EditLargeClass({ loaderData, actionData }: Route.ComponentProps) {
  const { large, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="修改大班" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ name: large.name, seen: large.seen }}
        submit="保存"
        noValidate
      >
        <HiddenField name="seen" />
        <TextField name="name" label="大班名称" withAsterisk limit={classNameLimit} autoComplete="off" />
      </DialogForm>
    </Dialog>
  );
}
