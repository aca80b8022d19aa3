/**
 * Page to pick courseware of the library. For a lesson it adds the courseware, then continues to `return` (by default
 * the lesson's courseware). Without a lesson it stores nothing and continues to `return?ware_ids=1,2`, for another
 * screen to use.
 */
import { redirect } from 'react-router';
import {
  attachMaterials,
  listLessonMaterials,
  listMaterialClassifies,
  listMaterials,
} from '#server/courseware/contract.ts';
import { addCountFault } from '#server/courseware/rules.ts';
import { showSession } from '#server/sessions/contract.ts';
import { materialFault } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import { pickerPage } from '../lib/picker-pages.ts';
import { finishForm, handlePickerForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/choose';
import styles from './courseware.module.css';
import { CoursewarePicker } from './picker.tsx';
import { lessonCourseware, materialChoice, materialLibrary, materialList, withChosenMaterials } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '课件库', href: materialLibrary.href() }, { label: '选择课件' }],
};

export const meta: Route.MetaFunction = () => titleMeta('选择课件');

function returnAddress(url: URL): string {
  const { times_id, times_type, return: back } = materialChoice.at(url).place;
  return back ?? (times_id ? lessonCourseware.href({ times_id, times_type }) : materialList.href());
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const view = materialChoice.at(url);
  const { times_id } = view.place;
  if (times_id) requireAllowed(context, materialFault(await client.send(showSession, { params: { id: times_id } })));
  const [materials, classifies, lesson] = await Promise.all([
    client.send(listMaterials, { filter: { ...view.filter, page: pickerPage(view) } }),
    client.send(listMaterialClassifies),
    times_id ? client.send(listLessonMaterials, { query: { times_id } }) : [],
  ]);
  const attachedIds = lesson.map(({ ware_id }) => ware_id).filter((id) => id > 0);
  const picked = pickedIds(url.searchParams);
  return {
    wares: materials,
    classifies,
    attachedIds,
    picked,
    back: returnAddress(url),
    idempotencyKey: crypto.randomUUID(),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handlePickerForm(sent, addCountFault, async (client, chosen, form) => {
    const { times_id, times_type } = materialChoice.at(url).place;
    const back = returnAddress(url);
    if (!times_id) throw redirect(withChosenMaterials(back, chosen));
    const outcome = await client.ask(attachMaterials, {
      body: { times_id, times_type, ware_id: chosen.join(',') },
      idempotencyKey: idempotencyField(form),
    });
    return finishForm(sent.context, outcome, back, form);
  });

export default function ChooseCourseware({ loaderData, actionData }: Route.ComponentProps) {
  const { back, ...picker } = loaderData;
  const view = useAddress(materialChoice);
  return (
    <Screen>
      <div className={styles.head}>
        <h1>选择课件</h1>
      </div>
      <CoursewarePicker {...picker} view={view} closeHref={back} refused={actionData} />
    </Screen>
  );
}
