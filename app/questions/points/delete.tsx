import { deletePoint, showPoint } from '#server/questions/points.contract.ts';
import { pointInUseFault } from '#server/questions/rules.ts';
import { saidCounts } from '#server/school/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustShare } from '../../catalogue/shared.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { pointDelete } from '../screens.ts';
import type { Route } from './+types/delete';

const dialog = confirmDialog({ verb: '删除', kind: '知识点', question: '删除后不能恢复，确定删除吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deletePoint);
  const { name, children, questions } = await context
    .get(api)
    .send(showPoint, { params: { id: pointDelete.at(url).id } });
  mustShare(context, 'subjects');
  const uses = saidCounts([
    [children, '个下级'],
    [questions, '道题目'],
  ]);
  mustBeAllowed(context, pointInUseFault(uses), pointDelete.behind(url));
  return { name, ...pointDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, pointDelete.behind(url), (client, idempotencyKey) =>
    client.ask(deletePoint, { params: { id: pointDelete.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
