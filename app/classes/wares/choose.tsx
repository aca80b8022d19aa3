/** 从课件库添加: chooses wares of the library for a class (document 3, section 2, tab 5). */
import { data } from 'react-router';
import {
  chooseClassWares,
  coursewareMessages,
  listClassWares,
  listWareClassifies,
  listWares,
  WareFilter,
} from '#server/courseware/contract.ts';
import { api } from '../../api.server.ts';
import { CoursewarePicker, chosenWares } from '../../courseware/picker.tsx';
import { readSearch } from '../../lib/search.ts';
import { done, idempotencyField } from '../../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { classAddress, classOf } from '../tabs/tab.ts';
import type { Route } from './+types/choose';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '从课件库添加 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const classId = classOf(url);
  const filter = readSearch(WareFilter, url.searchParams);
  const [wares, classifies, present] = await Promise.all([
    client.send(listWares, { query: filter }),
    client.send(listWareClassifies),
    client.send(listClassWares, { query: { class_id: classId, limit: 999_999 } }),
  ]);
  const given = present.list.map(({ ware_id }) => ware_id).filter((id) => id > 0);
  return { classId, filter, wares, classifies, given, chosen: chosenWares(url.searchParams), key: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const chosen = chosenWares(form);
  const key = idempotencyField(form);
  const classId = classOf(url);
  if (chosen.length === 0) return data({ msg: coursewareMessages.none, chosen, key }, { status: 422 });
  const outcome = await context
    .get(api)
    .ask(chooseClassWares, { body: { class_id: classId, ware_ids: chosen.join(',') }, idempotencyKey: key });
  if (outcome.ok) return done(context, outcome.msg, classAddress(classId, 'courseware'));
  return data({ msg: outcome.msg, chosen, key }, { status: outcome.status });
}

export default function ChooseForClass({ loaderData, actionData }: Route.ComponentProps) {
  const { classId, filter, wares, classifies, given, chosen, key } = loaderData;
  const back = classAddress(classId, 'courseware');
  return (
    <Dialog title="从课件库添加" closeHref={back} width={800}>
      <CoursewarePicker
        path="/classes/detail/wares/choose"
        kept={{ id: String(classId), tab: 'courseware' }}
        {...{ filter, wares, classifies, given }}
        chosen={actionData?.chosen ?? chosen}
        cancelHref={back}
        idempotencyKey={actionData?.key ?? key}
        message={actionData?.msg}
      />
    </Dialog>
  );
}
