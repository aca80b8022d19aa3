import { data } from 'react-router';
import { detachWare, listLessonWares } from '#server/courseware/contract.ts';
import { detachFault, missingWare } from '#server/courseware/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/detach';
import { lessonCourseware, wareDetach } from './screens.ts';

const dialog = confirmDialog({ verb: '移除', kind: '课件', question: '确定从该课次移除该课件吗？' });

export const meta = dialog.meta;

/** Another screen of the lesson, or the lesson's courseware. */
const backFrom = (url: URL) => lessonCourseware.at(url).return ?? wareDetach.behind(url);

export async function loader({ context, url }: Route.LoaderArgs) {
  const { times_id } = lessonCourseware.at(url);
  const wares = await context.get(api).send(listLessonWares, { query: { times_id } });
  const ware = wares.find(({ id }) => id === wareDetach.at(url).id);
  if (!ware) throw data({ msg: missingWare }, { status: 404 });
  mustBeAllowed(context, forbiddenBy(detachFault(ware)));
  return { name: ware.ware_name, ...wareDetach.opened(url), closeHref: backFrom(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, backFrom(url), (client, idempotencyKey) =>
    client.ask(detachWare, { params: { id: wareDetach.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
