/** 从课件库添加: chooses wares of the library for a class. */
import { chooseClassWares, listClassWares, listWareClassifies, listWares } from '#server/courseware/contract.ts';
import { coursewareMessages } from '#server/courseware/rules.ts';
import { everyRow } from '#server/platform/calls/fields.ts';
import { api } from '../../api/client.server.ts';
import { CoursewarePicker, chosenWares } from '../../courseware/picker.tsx';
import { idempotencyField } from '../../lib/form-data.ts';
import { ended, refused } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { classDetail, wareChoice } from '../screens.ts';
import type { Route } from './+types/choose';

export const meta: Route.MetaFunction = () => titled('从课件库添加');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { id: classId } = classDetail.at(url);
  const [wares, classifies, present] = await Promise.all([
    client.send(listWares, { filter: wareChoice.at(url).filter }),
    client.send(listWareClassifies),
    client.send(listClassWares, { query: { class_id: classId, limit: everyRow } }),
  ]);
  const given = present.list.map(({ ware_id }) => ware_id).filter((id) => id > 0);
  return {
    wares,
    classifies,
    given,
    chosen: chosenWares(url.searchParams),
    ...wareChoice.opened(url),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const chosen = chosenWares(form);
  const { id: classId } = classDetail.at(url);
  if (chosen.length === 0) return refused({ ok: false, status: 422, msg: coursewareMessages.none }, form);
  const outcome = await context.get(api).ask(chooseClassWares, {
    body: { class_id: classId, ware_ids: chosen.join(',') },
    idempotencyKey: idempotencyField(form),
  });
  return ended(context, outcome, wareChoice.behind(url), form);
}

export default function ChooseForClass({ loaderData, actionData }: Route.ComponentProps) {
  const { wares, classifies, given, chosen, closeHref, idempotencyKey } = loaderData;
  const view = useAddress(wareChoice);
  return (
    <Dialog title="从课件库添加" closeHref={closeHref} width={800}>
      <CoursewarePicker
        view={view}
        wares={wares}
        classifies={classifies}
        given={given}
        chosen={chosen}
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
      />
    </Dialog>
  );
}
