/** Takes a courseware off a lesson. */
import { data } from 'react-router';
import { detachWare, listLessonWares } from '#server/courseware/contract.ts';
import { detachFault, missingWare } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { asks, confirmed } from '../shell/confirm.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/detach';
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
  return asks(ware.ware_name, backFrom(url));
}

export const action = ({ params, url, ...sent }: Route.ActionArgs) =>
  confirmed(sent, backFrom(url), (client, idempotencyKey) =>
    client.ask(detachWare, { params: { id: params.id }, idempotencyKey }),
  );

export default confirmDialog({
  title: '移除课件',
  kind: '课件',
  question: '确定从该课次移除该课件吗？',
  confirm: '确定移除',
});
