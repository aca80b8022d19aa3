/** Takes a courseware off a lesson. */
import { data } from 'react-router';
import { detachWare, listLessonWares } from '#server/courseware/contract.ts';
import { detachFault, missingWare } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import type { Route } from './+types/detach';
import { RemoveDialog } from './remove-dialog.tsx';
import { lessonCourseware, wareRemove } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('移除课件');

/** Another screen of the lesson, or the lesson's courseware. */
const backFrom = (url: URL) => lessonCourseware.at(url).return ?? wareRemove.behind(url);

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { times_id } = lessonCourseware.at(url);
  const wares = await context.get(api).send(listLessonWares, { query: { times_id } });
  const ware = wares.find(({ id }) => id === Number(params.id));
  if (!ware) throw data({ msg: missingWare }, { status: 404 });
  mustBeAllowed(context, forbiddenBy(detachFault(ware)));
  return { name: ware.ware_name, closeHref: backFrom(url), idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context
    .get(api)
    .ask(detachWare, { params: { id: params.id }, idempotencyKey: idempotencyField(form) });
  return outcome.ok ? done(context, outcome.msg, backFrom(url)) : refused(outcome, form);
}

export default function DetachCourseware({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RemoveDialog
      {...loaderData}
      question="确定从该课次移除该课件吗？"
      message={actionData?.msg}
      idempotencyKey={actionData?.key ?? loaderData.idempotencyKey}
    />
  );
}
