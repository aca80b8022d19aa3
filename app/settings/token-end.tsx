import { tokenEndFault } from '#server/school/rules.ts';
import { endToken, showToken } from '#server/school/tokens.contract.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/token-end';
import { tokenEnd } from './screens.ts';

const dialog = confirmDialog({
  verb: '停用',
  kind: '令牌',
  question: '停用后，使用该令牌的应用立即不能再调用接口，不能恢复，确定停用吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, endToken);
  const token = await context.get(api).send(showToken, { params: { id: tokenEnd.at(url).token } });
  mustBeAllowed(context, tokenEndFault(token));
  return { name: token.name, ...tokenEnd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, tokenEnd.behind(url), (client, idempotencyKey) =>
    client.ask(endToken, { params: { id: tokenEnd.at(url).token }, idempotencyKey }),
  );

export default dialog.Confirm;
