import { restoreCircle, showCircle } from '#server/community/circles.contract.ts';
import { circleRestoreFault } from '#server/community/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { circleDetail, circleRestore } from '../screens.ts';
import type { Route } from './+types/restore';

const dialog = confirmDialog({
  verb: '恢复',
  kind: '圈子',
  question: '恢复后成员重新看到该圈子及其帖子，确定恢复吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, restoreCircle);
  const circle = await context.get(api).send(showCircle, { params: { id: circleDetail.at(url).id } });
  mustBeAllowed(context, circleRestoreFault(circle));
  return { name: circle.name, ...circleRestore.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, circleRestore.behind(url), (client, idempotencyKey) =>
    client.ask(restoreCircle, { params: { id: circleDetail.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
