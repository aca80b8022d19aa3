import { endClass, showAdministeredClass } from '#server/classes/administered.contract.ts';
import { classTypes } from '#server/classes/rules.ts';
import { endLessonClass, showLessonClass } from '#server/group-classes/administered.contract.ts';
import { endTeamFault } from '#server/group-classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { adminClass, adminClassEnd } from '../screens.ts';
import type { Route } from './+types/end';

export const meta: Route.MetaFunction = () => titled('结束班级');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, endClass);
  const client = context.get(api);
  const params = { id: adminClass.at(url).id };
  const { name, class_type, state, end_effect } = await client.send(showAdministeredClass, { params });
  mustBeAllowed(context, endTeamFault({ state }));
  const effect =
    class_type === classTypes.stateSchool ? end_effect : (await client.send(showLessonClass, { params })).end_effect;
  return { name, class_type, effect, ...adminClassEnd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, adminClassEnd.behind(url), async (client, idempotencyKey, form) => {
    const params = { id: adminClass.at(url).id };
    const asked = { params, body: { acknowledged: textOf(form, 'acknowledged') }, idempotencyKey };
    const { class_type } = await client.send(showAdministeredClass, { params });
    return class_type === classTypes.stateSchool ? client.ask(endClass, asked) : client.ask(endLessonClass, asked);
  });

const { DialogForm } = formOf<typeof endClass>();

export default function EndClass({ loaderData, actionData }: Route.ComponentProps) {
  const { name, effect, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="结束班级" closeHref={closeHref}>
      <p>
        班级：<strong>{name}</strong>
      </p>
      {effect && (
        <p>
          <strong>{effect}。</strong>
        </p>
      )}
      <p>结束后讲师和助教看到该班级已结束；记录都会保留，可以随时恢复。确定结束吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: effect }}
        submit="确定结束"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
