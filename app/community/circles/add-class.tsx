import { addCircleClass, showCircle } from '#server/community/circles.contract.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { circleAddClass, circleDetail } from '../screens.ts';
import type { Route } from './+types/add-class';

export const meta: Route.MetaFunction = () => titled('加入班级');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addCircleClass);
  const { classes } = await context.get(api).send(showCircle, { params: { id: circleDetail.at(url).id } });
  return { classes, ...circleAddClass.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, circleAddClass.behind(url), (client, idempotencyKey, form) =>
    client.ask(addCircleClass, {
      params: { id: circleDetail.at(url).id },
      body: readForm(addCircleClass, form),
      idempotencyKey,
    }),
  );

const { DialogForm, SelectField } = formOf<typeof addCircleClass>();

export default function AddCircleClass({ loaderData, actionData }: Route.ComponentProps) {
  const { classes, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="加入班级" closeHref={closeHref}>
      <p>班级现有的学员、班主任和助教一起加入；以后进班的不会自动加入。</p>
      <DialogForm closeHref={closeHref} idempotencyKey={idempotencyKey} refused={actionData} submit="加入">
        <SelectField
          name="class_id"
          label="班级"
          withAsterisk
          placeholder="请选择"
          choices={classes.map(({ id, name, people }) => [id, `${name}（${people}名学员）`] as const)}
        />
      </DialogForm>
    </Dialog>
  );
}
