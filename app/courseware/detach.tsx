import { data } from 'react-router';
import { detachWare, listLessonWares } from '#server/courseware/contract.ts';
import { detachFault, missingWare } from '#server/courseware/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { actionOf, loaderOf } from '../shell/form-dialog.server.ts';
import { forbiddenBy } from '../shell/permissions.server.ts';
import { lessonCourseware, wareDetach } from './screens.ts';

const dialog = confirmDialog({
  call: detachWare,
  at: wareDetach,
  params: wareDetach.at,
  verb: '移除',
  kind: '课件',
  question: '确定从该课次移除该课件吗？',
});

export const meta = dialog.meta;

/** Another screen of the lesson, or the lesson's courseware. */
const backFrom = (url: URL) => lessonCourseware.at(url).return ?? wareDetach.behind(url);

export const loader = loaderOf(dialog, async ({ client, url }) => {
  const { times_id } = lessonCourseware.at(url);
  const wares = await client.send(listLessonWares, { query: { times_id } });
  const ware = wares.find(({ id }) => id === wareDetach.at(url).id);
  if (!ware) throw data({ msg: missingWare }, { status: 404 });
  return { name: ware.ware_name, refusal: forbiddenBy(detachFault(ware)), closeHref: backFrom(url) };
});

export const action = actionOf(dialog, { next: (url) => backFrom(url) });

export default dialog.Page;
