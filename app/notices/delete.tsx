/** Asks before an announcement is deleted, over the class that it is of. */
import { deleteNotice, showNotice } from '#server/notices/contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmed } from '../shell/confirm.server.ts';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/delete';
import { noticeDeletion } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('删除公告');

export async function loader({ context, url }: Route.LoaderArgs) {
  const notice = await context.get(api).send(showNotice, { params: { id: noticeDeletion.at(url).notice } });
  mustBeAllowed(context, notice.is_can_delete === 0 ? { code: 403, msg: '您不能删除该公告' } : null);
  return { name: notice.title, ...noticeDeletion.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  confirmed(sent, noticeDeletion.behind(url), (client, idempotencyKey) =>
    client.ask(deleteNotice, { params: { id: noticeDeletion.at(url).notice }, idempotencyKey }),
  );

export default confirmDialog({
  title: '删除公告',
  kind: '公告',
  question: '确定删除吗？',
  confirm: '确定删除',
});
