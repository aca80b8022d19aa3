import { removeClass, showAdministeredClass } from '#server/classes/administered.contract.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { adminClass, adminClasses, adminClassRemove } from '../screens.ts';
import type { Route } from './+types/remove';

const dialog = confirmDialog({
  verb: '删除',
  kind: '班级',
  question: '该班级没有学员、作业和课次等记录，删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, removeClass);
  const params = { id: adminClass.at(url).id };
  const { name, removal_fault } = await context.get(api).send(showAdministeredClass, { params });
  mustBeAllowed(context, removal_fault || undefined);
  return { name, ...adminClassRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, adminClasses.href(), (client, idempotencyKey) =>
    client.ask(removeClass, { params: { id: adminClass.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
