import { putAwayCircle, showCircle } from '#server/community/circles.contract.ts';
import { circlePutAwayFault } from '#server/community/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { circleDetail, circlePutAway } from '../screens.ts';
import type { Route } from './+types/put-away';

export const meta: Route.MetaFunction = () => titled('停用圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, putAwayCircle);
  const circle = await context.get(api).send(showCircle, { params: { id: circleDetail.at(url).id } });
  mustBeAllowed(context, circlePutAwayFault(circle));
  return { name: circle.name, loss: circle.loss, ...circlePutAway.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, circlePutAway.behind(url), (client, idempotencyKey, form) =>
    client.ask(putAwayCircle, {
      params: { id: circleDetail.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof putAwayCircle>();

export default function PutAwayCircle({ loaderData, actionData }: Route.ComponentProps) {
  const { name, loss, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="停用圈子" closeHref={closeHref}>
      <p>
        圈子：<strong>{name}</strong>
      </p>
      {loss && (
        <p>
          <strong>{loss}。</strong>
        </p>
      )}
      <p>成员和帖子都会保留，可以随时恢复。确定停用吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: loss }}
        submit="确定停用"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
