import { removeClassGroup, showClassGroup } from '#server/classes/administered.contract.ts';
import { groupRemovalFault } from '#server/classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { adminClass, classGroupRemove } from '../screens.ts';
import type { Route } from './+types/group-remove';

const dialog = confirmDialog({ verb: '删除', kind: '分组', question: '该分组没有学员，删除后不能恢复，确定删除吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, removeClassGroup);
  const params = { id: adminClass.at(url).id, groupId: classGroupRemove.at(url).group };
  const group = await context.get(api).send(showClassGroup, { params });
  mustBeAllowed(context, groupRemovalFault(group));
  return { name: group.group_name, ...classGroupRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, classGroupRemove.behind(url), (client, idempotencyKey) =>
    client.ask(removeClassGroup, {
      params: { id: adminClass.at(url).id, groupId: classGroupRemove.at(url).group },
      idempotencyKey,
    }),
  );

export default dialog.Confirm;
