import { endClient, showClient } from '#server/oneroster/contract.ts';
import { clientEndFault } from '#server/oneroster/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/roster-client-end';
import { clientEnd } from './screens.ts';

const dialog = confirmDialog({
  verb: '停用',
  kind: '对接系统',
  question: '停用后，该系统立即不能再读取数据，不能恢复，确定停用吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, endClient);
  const client = await context.get(api).send(showClient, { params: { id: clientEnd.at(url).client } });
  mustBeAllowed(context, clientEndFault(client));
  return { name: client.name, ...clientEnd.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, clientEnd.behind(url), (client, idempotencyKey) =>
    client.ask(endClient, { params: { id: clientEnd.at(url).client }, idempotencyKey }),
  );

export default dialog.Confirm;
