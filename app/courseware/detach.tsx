import { data } from 'react-router';
import { detachMaterial, listLessonMaterials } from '#server/courseware/contract.ts';
import { detachFault, missingMaterial } from '#server/courseware/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { lessonCourseware, materialDetach } from './screens.ts';

const dialog = confirmDialog({
  call: detachMaterial,
  at: materialDetach,
  params: materialDetach.at,
  verb: '移除',
  kind: '课件',
  question: '确定从该课次移除该课件吗？',
});

export const meta = dialog.meta;

/** Address to return to: another screen of the lesson (`return`), or the lesson's courseware. */
const returnAddress = (url: URL) => lessonCourseware.at(url).return ?? materialDetach.behind(url);

export const loader = dialogLoader(dialog, async ({ client, url }) => {
  const { times_id } = lessonCourseware.at(url);
  const materials = await client.send(listLessonMaterials, { query: { times_id } });
  const material = materials.find(({ id }) => id === materialDetach.at(url).id);
  if (!material) throw data({ msg: missingMaterial }, { status: 404 });
  return { name: material.ware_name, refusal: forbiddenIfFault(detachFault(material)), closeHref: returnAddress(url) };
});

export const action = dialogAction(dialog, { next: (url) => returnAddress(url) });

export default dialog.Page;
