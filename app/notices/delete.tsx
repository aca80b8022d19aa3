/** Asks before an announcement is deleted, over the class that it is of. */
import { showClass } from '#server/classes/contract.ts';
import { deleteNotice, showNotice } from '#server/notices/contract.ts';
import { schoolFault, writeFault } from '#server/notices/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/delete';
import { noticeDeletion } from './screens.ts';

const dialog = confirmDialog({ verb: '删除', kind: '公告', question: '确定删除吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const notice = await client.send(showNotice, { params: { id: noticeDeletion.at(url).notice } });
  const klass = await client.send(showClass, { params: { id: notice.class_id } });
  mustBeAllowed(context, forbiddenBy(writeFault(klass.is_header_teacher === 1, '删除')));
  mustBeAllowed(context, forbiddenBy(schoolFault(notice.is_can_delete === 0, '删除')));
  return { name: notice.title, ...noticeDeletion.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, noticeDeletion.behind(url), (client, idempotencyKey) =>
    client.ask(deleteNotice, { params: { id: noticeDeletion.at(url).notice }, idempotencyKey }),
  );

export default dialog.Confirm;
