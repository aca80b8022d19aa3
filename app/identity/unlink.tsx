import { showLink, unlink } from '#server/identity/contract.ts';
import { unlinkFault } from '#server/identity/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/unlink';
import { linkRemove } from './screens.ts';

const dialog = confirmDialog({
  verb: '解除',
  kind: '登录关联',
  question: '解除后，用该账号的登录立即结束；再次登录时要等教务确认。确定解除吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, unlink);
  const link = await context.get(api).send(showLink, { params: { id: linkRemove.at(url).link } });
  mustBeAllowed(context, unlinkFault(link));
  return { name: link.name ? `${link.number}（${link.name}）` : link.number, ...linkRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, linkRemove.behind(url), (client, idempotencyKey) =>
    client.ask(unlink, { params: { id: linkRemove.at(url).link }, idempotencyKey }),
  );

export default dialog.Confirm;
