import { rejectLink, showLink } from '#server/identity/contract.ts';
import { rejectFault } from '#server/identity/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/reject';
import { linkReject } from './screens.ts';

const dialog = confirmDialog({
  verb: '拒绝',
  kind: '登录申请',
  question: '拒绝后，该账号不能登录；以后仍可在这里关联。确定拒绝吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, rejectLink);
  const link = await context.get(api).send(showLink, { params: { id: linkReject.at(url).link } });
  mustBeAllowed(context, rejectFault(link));
  return { name: link.name ? `${link.number}（${link.name}）` : link.number, ...linkReject.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, linkReject.behind(url), (client, idempotencyKey) =>
    client.ask(rejectLink, { params: { id: linkReject.at(url).link }, idempotencyKey }),
  );

export default dialog.Confirm;
