/** Page that restores cancelled lessons. */
import { restoreLessons } from '#server/sessions/lessons.contract.ts';
import { textOf } from '../../lib/form-data.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { handleEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordFormClass } from '../../ui/record-form.ts';
import { adminLessonList, adminLessonRestore, adminLessons } from '../screens.ts';
import type { Route } from './+types/restore';
import { selectedLessons } from './selected-lessons.server.ts';
import { SelectedLessonsScreen } from './selected-lessons.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '排课', href: adminLessons.href() }, { label: '恢复课次' }] };

export const meta: Route.MetaFunction = () => titleMeta('恢复课次');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, restoreLessons);
  return { lessons: await selectedLessons(context, url), idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleEdit(
    sent,
    adminLessonRestore.at(url).back ?? adminLessonList.href({ status: 2 }),
    (client, idempotencyKey, form) =>
      client.ask(restoreLessons, {
        body: { ids: pickedIds(url.searchParams), acknowledged: textOf(form, 'acknowledged') },
        idempotencyKey,
      }),
  );

const { Form } = formOf<typeof restoreLessons>();

export default function LessonRestore({ loaderData: { lessons, idempotencyKey }, actionData }: Route.ComponentProps) {
  return (
    <SelectedLessonsScreen title="恢复课次" lessons={lessons}>
      <Form idempotencyKey={idempotencyKey} refused={actionData} className={recordFormClass}>
        <HiddenField name="acknowledged" />
        <p>恢复后按原定时间上课，学员不会收到短信。</p>
        <Submit>确定恢复课次</Submit>
      </Form>
    </SelectedLessonsScreen>
  );
}
