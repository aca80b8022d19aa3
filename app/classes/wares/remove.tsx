import { data } from 'react-router';
import { removeClassWare, showClassWare } from '#server/courseware/contract.ts';
import { missingWare } from '#server/courseware/rules.ts';
import { api } from '../../api/client.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { classDetail, classWareRemoval } from '../screens.ts';
import type { Route } from './+types/remove';

const dialog = confirmDialog({ verb: '移除', kind: '课件', question: '确定从该班级移除该课件吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ware = await context.get(api).send(showClassWare, { params: { id: classWareRemoval.at(url).ware } });
  if (ware.class_id !== classDetail.at(url).id) throw data({ msg: missingWare }, { status: 404 });
  return { name: ware.ware_name, ...classWareRemoval.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, classWareRemoval.behind(url), (client, idempotencyKey) =>
    client.ask(removeClassWare, { params: { id: classWareRemoval.at(url).ware }, idempotencyKey }),
  );

export default dialog.Confirm;
