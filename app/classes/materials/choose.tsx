/** 从课件库添加: chooses wares of the library for a class. */
import { chooseClassWares, listClassWares, listWareClassifies, listWares } from '#server/courseware/contract.ts';
import { addedFault } from '#server/courseware/rules.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { api } from '../../api/client.server.ts';
import { CoursewarePicker } from '../../courseware/picker.tsx';
import { idempotencyField } from '../../lib/form-data.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { pickerPage } from '../../lib/picker-pages.ts';
import { ended, takePicks } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { classDetail, classWareChoice } from '../screens.ts';
import type { Route } from './+types/choose';

export const meta: Route.MetaFunction = () => titled('从课件库添加');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { id: classId } = classDetail.at(url);
  const view = classWareChoice.at(url);
  const [wares, classifies, present] = await Promise.all([
    client.send(listWares, { filter: { ...view.filter, page: pickerPage(view) } }),
    client.send(listWareClassifies),
    client.send(listClassWares, { query: { class_id: classId, limit: everyRow } }),
  ]);
  const given = present.list.map(({ ware_id }) => ware_id).filter((id) => id > 0);
  return {
    wares,
    classifies,
    given,
    picked: pickedIds(url.searchParams),
    ...classWareChoice.opened(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takePicks(sent, addedFault, async (client, chosen, form) => {
    const outcome = await client.ask(chooseClassWares, {
      body: { class_id: classDetail.at(url).id, ware_ids: chosen.join(',') },
      idempotencyKey: idempotencyField(form),
    });
    return ended(sent.context, outcome, classWareChoice.behind(url), form);
  });

export default function ChooseForClass({ loaderData, actionData }: Route.ComponentProps) {
  const view = useAddress(classWareChoice);
  return (
    <Dialog title="从课件库添加" closeHref={loaderData.closeHref} width={800}>
      <CoursewarePicker {...loaderData} view={view} refused={actionData} />
    </Dialog>
  );
}
