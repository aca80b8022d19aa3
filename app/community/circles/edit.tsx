import { editCircle, showCircle } from '#server/community/circles.contract.ts';
import { circleIntroductionLimit, circleNameLimit } from '#server/community/rules.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { circleDetail, circleEdit } from '../screens.ts';
import type { Route } from './+types/edit';

export const meta: Route.MetaFunction = () => titled('编辑圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editCircle);
  const { name, introduction, seen } = await context
    .get(api)
    .send(showCircle, { params: { id: circleDetail.at(url).id } });
  return { circle: { name, introduction, seen }, ...circleEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, circleEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editCircle, {
      params: { id: circleDetail.at(url).id },
      body: readForm(editCircle, form),
      idempotencyKey,
    }),
  );

const { AreaField, DialogForm, TextField } = formOf<typeof editCircle>();

export default function EditCircle({ loaderData, actionData }: Route.ComponentProps) {
  const { circle, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="编辑圈子" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={circle}
        submit="保存"
        draft="circle edit"
      >
        <HiddenField name="seen" />
        <TextField name="name" label="圈子名称" withAsterisk limit={circleNameLimit} autoComplete="off" />
        <AreaField name="introduction" label="简介" limit={circleIntroductionLimit} rows={3} />
      </DialogForm>
    </Dialog>
  );
}
