/** Takes one's own upload out of the library. */
import { removeWare, showWare } from '#server/courseware/contract.ts';
import { removeFault } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmed } from '../shell/confirm.server.ts';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/remove';
import { wareRemove } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('移除课件');

export async function loader({ context, url }: Route.LoaderArgs) {
  const ware = await context.get(api).send(showWare, { params: { id: wareRemove.at(url).id } });
  mustBeAllowed(context, forbiddenBy(removeFault(ware)));
  return { name: ware.ware_name, ...wareRemove.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  confirmed(sent, wareRemove.behind(url), (client, idempotencyKey) =>
    client.ask(removeWare, { params: { id: wareRemove.at(url).id }, idempotencyKey }),
  );

export default confirmDialog({
  title: '移除课件',
  kind: '课件',
  question: '确定从课件库移除该课件吗？已添加到课次的不受影响。',
  confirm: '确定移除',
});
