/** Dialog 从课件库添加: picks courseware of the library for a class. */
import {
  chooseClassMaterials,
  listClassMaterials,
  listMaterialClassifies,
  listMaterials,
} from '#server/courseware/contract.ts';
import { addCountFault } from '#server/courseware/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { api } from '../../api/client.server.ts';
import { CoursewarePicker } from '../../courseware/picker.tsx';
import { idempotencyField } from '../../lib/form-data.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { pickerPage } from '../../lib/picker-pages.ts';
import { finishForm, handlePickerForm } from '../../shell/form-action.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { classDetail, classMaterialChoice } from '../screens.ts';
import type { Route } from './+types/choose';

export const meta: Route.MetaFunction = () => titleMeta('从课件库添加');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { id: classId } = classDetail.at(url);
  const view = classMaterialChoice.at(url);
  const [materials, classifies, present] = await Promise.all([
    client.send(listMaterials, { filter: { ...view.filter, page: pickerPage(view) } }),
    client.send(listMaterialClassifies),
    client.send(listClassMaterials, { query: { class_id: classId, limit: maxListLimit } }),
  ]);
  const attachedIds = present.list.map(({ ware_id }) => ware_id).filter((id) => id > 0);
  return {
    wares: materials,
    classifies,
    attachedIds,
    picked: pickedIds(url.searchParams),
    ...classMaterialChoice.opened(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handlePickerForm(sent, addCountFault, async (client, chosen, form) => {
    const outcome = await client.ask(chooseClassMaterials, {
      body: { class_id: classDetail.at(url).id, ware_ids: chosen.join(',') },
      idempotencyKey: idempotencyField(form),
    });
    return finishForm(sent.context, outcome, classMaterialChoice.behind(url), form);
  });

export default function ChooseForClass({ loaderData, actionData }: Route.ComponentProps) {
  const view = useAddress(classMaterialChoice);
  return (
    <Dialog title="从课件库添加" closeHref={loaderData.closeHref} width={800}>
      <CoursewarePicker {...loaderData} view={view} refused={actionData} />
    </Dialog>
  );
}
