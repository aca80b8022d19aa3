/** AdminLessonEdit: one lesson, by whom and where it is held, or another time for it. */
import { editLesson, lessonOptions, showLesson } from '#server/sessions/lessons.contract.ts';
import { replanFault } from '#server/sessions/rules.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { titled } from '../../shell/title.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { recordForm } from '../../ui/record-form.ts';
import { Screen } from '../../ui/screen.tsx';
import { adminLessonEdit, adminLessonList, adminLessons } from '../screens.ts';
import type { Route } from './+types/edit';
import { LessonFields, periodChoices, writtenLesson } from './lesson-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '排课', href: adminLessons.href() }, { label: '编辑课次' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titled('编辑课次', loaderData?.lesson.class_name);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, editLesson);
  const client = context.get(api);
  const lesson = await client.send(showLesson, { params: { id: adminLessonEdit.at(url).id } });
  const cancelled_at = lesson.status === 4 ? lesson.start_time : null;
  mustBeAllowed(context, replanFault({ ...lesson, cancelled_at }, client.now()));
  const options = await client.send(lessonOptions, { params: { classId: lesson.class_id } });
  return { lesson, options, idempotencyKey: crypto.randomUUID() };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, adminLessonList.href({ status: 2 }), (client, idempotencyKey, form) =>
    client.ask(editLesson, {
      params: { id: adminLessonEdit.at(url).id },
      body: {
        ...writtenLesson(form),
        day: textOf(form, 'day'),
        notify: textOf(form, 'notify') === '1' ? 1 : undefined,
        seen: textOf(form, 'seen'),
      },
      idempotencyKey,
    }),
  );

const { CheckField, Form, SelectField, TextField } = formOf<typeof editLesson>();

export default function LessonEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { lesson, options, idempotencyKey } = loaderData;
  const { course_id, period_id, chapter_title, lecturer_id, room_id, teaching_mode, day, start, end, seen } = lesson;
  return (
    <Screen title={`编辑课次：${lesson.class_name}`} card>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ course_id, period_id, chapter_title, lecturer_id, room_id, teaching_mode, day, start, end, seen }}
        className={recordForm}
        noValidate
      >
        <HiddenField name="seen" />
        <TextField name="day" type="date" label="日期" withAsterisk />
        <LessonFields options={options} />
        <SelectField name="period_id" label="课时" placeholder="不对应课时" choices={periodChoices(options)} />
        <CheckField name="notify" label={`改时间时短信通知学员（${lesson.students_count}人）`} />
        <Submit>保存</Submit>
      </Form>
    </Screen>
  );
}
