import { catalogueSchools } from '#server/catalogue/contract.ts';
import { addCircle } from '#server/community/circles.contract.ts';
import { circleIntroductionLimit, circleNameLimit } from '#server/community/rules.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { circleAdd, circleDetail } from '../screens.ts';
import type { Route } from './+types/add';

export const meta: Route.MetaFunction = () => titled('添加圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addCircle);
  return { schools: await context.get(api).send(catalogueSchools), ...circleAdd.opened(url) };
}

/** On to the circle, for it has no members yet. */
export const action = (sent: Route.ActionArgs) =>
  takeEdit(
    sent,
    (added: { id: number }) => circleDetail.href(added),
    (client, idempotencyKey, form) => client.ask(addCircle, { body: readForm(addCircle, form), idempotencyKey }),
  );

const { AreaField, DialogForm, SelectField, TextField } = formOf<typeof addCircle>();

export default function AddCircle({ loaderData, actionData }: Route.ComponentProps) {
  const { schools, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="添加圈子" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ school_id: schools.length === 1 ? schools[0]?.id : '' }}
        submit="添加"
        draft="circle add"
      >
        <TextField name="name" label="圈子名称" withAsterisk limit={circleNameLimit} autoComplete="off" />
        <SelectField name="school_id" label="所属学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
        <AreaField name="introduction" label="简介" limit={circleIntroductionLimit} rows={3} />
      </DialogForm>
    </Dialog>
  );
}
