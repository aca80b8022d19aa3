/** Takes one's own upload out of the library. */
import { removeWare, showWare } from '#server/courseware/contract.ts';
import { removeFault } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { asks, confirmed } from '../shell/confirm.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/remove';
import { wareRemove } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('移除课件');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ware = await context.get(api).send(showWare, { params: { id: params.id } });
  mustBeAllowed(context, forbiddenBy(removeFault(ware)));
  return asks(ware.ware_name, wareRemove.behind(url));
}

export const action = ({ params, url, ...sent }: Route.ActionArgs) =>
  confirmed(sent, wareRemove.behind(url), (client, idempotencyKey) =>
    client.ask(removeWare, { params: { id: params.id }, idempotencyKey }),
  );

export default confirmDialog({
  title: '移除课件',
  kind: '课件',
  question: '确定从课件库移除该课件吗？已添加到课次的不受影响。',
  confirm: '确定移除',
});
