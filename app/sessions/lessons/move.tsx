/** Page that moves lessons to another time, lecturer or room. */
import { classOptions } from '#server/classes/admin.contract.ts';
import { moveLessons } from '#server/sessions/lessons.contract.ts';
import { api } from '../../api/client.server.ts';
import { readForm } from '../../lib/form-data.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { handleEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordFormClass } from '../../ui/record-form.ts';
import { adminLessonList, adminLessonMove, adminLessons } from '../screens.ts';
import type { Route } from './+types/move';
import { selectedLessons } from './selected-lessons.server.ts';
import { SelectedLessonsScreen } from './selected-lessons.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '排课', href: adminLessons.href() }, { label: '批量调整' }] };

export const meta: Route.MetaFunction = () => titleMeta('批量调整课次');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, moveLessons);
  const [lessons, { lecturers, rooms }] = await Promise.all([
    selectedLessons(context, url),
    context.get(api).send(classOptions),
  ]);
  return { lessons, lecturers, rooms, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleEdit(
    sent,
    adminLessonMove.at(url).back ?? adminLessonList.href({ status: 2 }),
    (client, idempotencyKey, form) =>
      client.ask(moveLessons, {
        body: { ...readForm(moveLessons, form), ids: pickedIds(url.searchParams) },
        idempotencyKey,
      }),
  );

const { CheckField, Form, SelectField, TextField } = formOf<typeof moveLessons>();

export default function LessonMove({ loaderData, actionData }: Route.ComponentProps) {
  const { lessons, lecturers, rooms, idempotencyKey } = loaderData;
  return (
    <SelectedLessonsScreen title="批量调整课次" lessons={lessons}>
      <Form idempotencyKey={idempotencyKey} refused={actionData} className={recordFormClass} noValidate>
        <HiddenField name="acknowledged" />
        <p>不填写的保持不变。</p>
        <TextField
          name="days"
          label="推迟天数"
          description="提前填写负数，如 -7"
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField name="start" type="time" label="改为开始时间" />
        <TextField name="end" type="time" label="改为结束时间" />
        <SelectField name="lecturer_id" label="改为讲师" placeholder="保持不变" choices={choicesOf(lecturers)} />
        <SelectField name="room_id" label="改为教室" placeholder="保持不变" choices={choicesOf(rooms)} />
        <CheckField name="notify" label="改时间时短信通知学员" />
        <Submit>保存</Submit>
      </Form>
    </SelectedLessonsScreen>
  );
}
