/** Takes one's own upload out of the library. */
import { removeWare, showWare } from '#server/courseware/contract.ts';
import { removeFault } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import type { Route } from './+types/remove';
import { RemoveDialog } from './remove-dialog.tsx';
import { wareRemove } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('移除课件');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ware = await context.get(api).send(showWare, { params: { id: params.id } });
  mustBeAllowed(context, forbiddenBy(removeFault(ware)));
  return { name: ware.ware_name, closeHref: wareRemove.behind(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(removeWare, { params: { id: params.id }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, wareRemove.behind(url)) : refused(outcome, form);
}

export default function RemoveCourseware({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RemoveDialog
      {...loaderData}
      question="确定从课件库移除该课件吗？已添加到课次的不受影响。"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
