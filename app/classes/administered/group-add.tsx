import { addClassGroup, showAdministeredClass } from '#server/classes/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { adminClass, classGroupAdd } from '../screens.ts';
import type { Route } from './+types/group-add';
import { GroupFields } from './group-fields.tsx';

export const meta: Route.MetaFunction = () => titled('添加分组');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addClassGroup);
  const params = { id: adminClass.at(url).id };
  const { courses, assistants } = await context.get(api).send(showAdministeredClass, { params });
  return { courses, assistants, ...classGroupAdd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, classGroupAdd.behind(url), (client, idempotencyKey, form) =>
    client.ask(addClassGroup, {
      params: { id: adminClass.at(url).id },
      body: {
        course_id: Number(textOf(form, 'course_id')) || undefined,
        group_name: textOf(form, 'group_name'),
        staff_ids: form.getAll('staff_ids').map(Number),
      },
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField } = formOf<typeof addClassGroup>();

export default function AddGroup({ loaderData, actionData }: Route.ComponentProps) {
  const { courses, assistants, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="添加分组" closeHref={closeHref}>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ course_id: courses.length === 1 ? courses[0]?.id : '' }}
        submit="添加"
        noValidate
      >
        <SelectField
          name="course_id"
          label="课程"
          withAsterisk
          placeholder="请选择"
          choices={courses.map(({ id, title }) => [id, title] as const)}
        />
        <GroupFields assistants={assistants} />
      </DialogForm>
    </Dialog>
  );
}
