import { addLargeClass, classOptions } from '#server/classes/administered.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { largeClassAdd } from '../screens.ts';
import type { Route } from './+types/large-add';

export const meta: Route.MetaFunction = () => titled('添加大班');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addLargeClass);
  const { schools } = await context.get(api).send(classOptions);
  return { schools, ...largeClassAdd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, largeClassAdd.behind(url), (client, idempotencyKey, form) =>
    client.ask(addLargeClass, {
      body: { name: textOf(form, 'name'), school_id: Number(textOf(form, 'school_id')) || undefined },
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField, TextField } = formOf<typeof addLargeClass>();

export default function AddLargeClass({ loaderData, actionData }: Route.ComponentProps) {
  const { schools, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="添加大班" closeHref={closeHref}>
      <p>同一大班的班级共用课表。添加后在班级资料中选择该大班。</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ school_id: schools.length === 1 ? schools[0]?.id : '' }}
        submit="添加"
        noValidate
      >
        <TextField name="name" label="大班名称" withAsterisk limit={classNameLimit} autoComplete="off" />
        <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
      </DialogForm>
    </Dialog>
  );
}
