/** Takes one's own upload out of the library. */
import { removeWare, showWare } from '#server/courseware/contract.ts';
import { removeFault } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/remove';
import { wareRemove } from './screens.ts';

const dialog = confirmDialog({
  verb: '移除',
  kind: '课件',
  question: '确定从课件库移除该课件吗？已添加到课次的不受影响。',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ware = await context.get(api).send(showWare, { params: { id: wareRemove.at(url).id } });
  mustBeAllowed(context, forbiddenBy(removeFault(ware)));
  return { name: ware.ware_name, ...wareRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, wareRemove.behind(url), (client, idempotencyKey) =>
    client.ask(removeWare, { params: { id: wareRemove.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
