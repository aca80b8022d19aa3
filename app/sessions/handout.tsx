/** Dialog that uploads the handout of a lesson. */
import { sessionDetail as showDetail } from '#server/sessions/contract.ts';
import { handoutFault } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { finishForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { Hydrated } from '../ui/hydrated.tsx';
import type { Route } from './+types/handout';
import { sendHandout } from './handout.server.ts';
import { HandoutForm } from './handout-form.tsx';
import { handout, handoutSend, sessionScreens } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('上传讲义');

export async function loader({ context, url }: Route.LoaderArgs) {
  const session = await context.get(api).send(showDetail, { params: { id: sessionScreens.at(url).id } });
  requireAllowed(context, handoutFault(session));
  const { closeHref, idempotencyKey } = handout.opened(url);
  const key = handout.at(url).key ?? idempotencyKey;
  return {
    fault: handoutFault(session),
    replaces: session.file_status !== 2,
    action: handout.href(closeHref, { key }),
    sendTo: handoutSend.href({ id: session.id, key, return: closeHref }),
    closeHref,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const outcome = await sendHandout(context.get(api), request, {
    id: sessionScreens.at(url).id,
    key: handout.at(url).key,
  });
  return finishForm(context, outcome, handout.behind(url), new FormData());
}

export default function Handout({ loaderData: { fault, ...form }, actionData }: Route.ComponentProps) {
  const { closeHref } = form;
  return (
    <Dialog title="上传讲义" closeHref={closeHref} message={fault && (actionData?.msg ?? fault)}>
      {fault === undefined ? (
        <Hydrated name="handout-form.island" component={HandoutForm} props={{ ...form, refused: actionData }} />
      ) : (
        <DialogClose closeHref={closeHref} words="返回" />
      )}
    </Dialog>
  );
}
