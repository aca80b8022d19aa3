import { editClassGroup, showAdministeredClass, showClassGroup } from '#server/classes/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { adminClass, classGroupEdit } from '../screens.ts';
import type { Route } from './+types/group-edit';
import { GroupFields } from './group-fields.tsx';

export const meta: Route.MetaFunction = () => titled('编辑分组');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editClassGroup);
  const client = context.get(api);
  const params = { id: adminClass.at(url).id };
  const [{ assistants }, group] = await Promise.all([
    client.send(showAdministeredClass, { params }),
    client.send(showClassGroup, { params: { ...params, groupId: classGroupEdit.at(url).group } }),
  ]);
  return { assistants, group, ...classGroupEdit.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, classGroupEdit.behind(url), (client, idempotencyKey, form) =>
    client.ask(editClassGroup, {
      params: { id: adminClass.at(url).id, groupId: classGroupEdit.at(url).group },
      body: {
        group_name: textOf(form, 'group_name'),
        staff_ids: form.getAll('staff_ids').map(Number),
        seen: textOf(form, 'seen'),
        acknowledged: textOf(form, 'acknowledged'),
      },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof editClassGroup>();

export default function EditGroup({ loaderData, actionData }: Route.ComponentProps) {
  const { group, assistants, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="编辑分组" closeHref={closeHref}>
      <p>课程：{group.course_title}</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ group_name: group.group_name, staff_ids: group.staff.map(({ id }) => id), seen: group.seen }}
        submit="保存"
        noValidate
      >
        <HiddenField name="seen" />
        <HiddenField name="acknowledged" />
        <GroupFields assistants={assistants} />
      </DialogForm>
    </Dialog>
  );
}
