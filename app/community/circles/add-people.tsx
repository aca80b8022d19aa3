import { addCirclePeople, showCircle } from '#server/community/circles.contract.ts';
import { addedMembersLimit } from '#server/community/rules.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { takeForm } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { circleAddPeople, circleDetail } from '../screens.ts';
import type { Route } from './+types/add-people';

export const meta: Route.MetaFunction = () => titled('加入成员');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, addCirclePeople);
  const { name, school_name } = await context.get(api).send(showCircle, { params: { id: circleDetail.at(url).id } });
  return { name, school_name, ...circleAddPeople.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, circleAddPeople.behind(url), (client, idempotencyKey, form) =>
    client.ask(addCirclePeople, {
      params: { id: circleDetail.at(url).id },
      body: readForm(addCirclePeople, form),
      idempotencyKey,
    }),
  );

const { AreaField, DialogForm } = formOf<typeof addCirclePeople>();

export default function AddCirclePeople({ loaderData, actionData }: Route.ComponentProps) {
  const { name, school_name, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="加入成员" closeHref={closeHref}>
      <p>
        圈子：<strong>{name}</strong>（{school_name}）
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="加入"
        draft="circle people"
      >
        <AreaField
          name="lines"
          label="成员"
          withAsterisk
          rows={8}
          description={`每行一位本校的学员、讲师或助教，写姓名、手机号或用户名，最多${addedMembersLimit}位`}
        />
      </DialogForm>
    </Dialog>
  );
}
