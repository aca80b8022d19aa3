/** Form that edits a lesson: lecturer, room, time. */
import { editLesson, lessonOptions, showLesson } from '#server/sessions/lessons.contract.ts';
import { replanFault } from '#server/sessions/rules.ts';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { formScreen } from '../../shell/form-screen.tsx';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { adminLessonEdit, adminLessonList, adminLessons } from '../screens.ts';
import { LessonFields, periodChoices } from './lesson-fields.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '排课', href: adminLessons.href() }, { label: '编辑课次' }] };

const screen = formScreen({
  call: editLesson,
  params: adminLessonEdit.at,
  back: () => adminLessonList.href({ status: 2 }),
  title: '编辑课次',
  submit: '保存',
});

export const meta = screen.meta;

export const loader = dialogLoader(screen, async ({ client, params }) => {
  const lesson = await client.send(showLesson, { params });
  const options = await client.send(lessonOptions, { params: { classId: lesson.class_id } });
  const { course_id, period_id, chapter_title, lecturer_id, room_id, teaching_mode, day, start, end, seen } = lesson;
  return {
    title: `编辑课次：${lesson.class_name}`,
    subject: lesson.class_name,
    options,
    students: lesson.students_count,
    values: { course_id, period_id, chapter_title, lecturer_id, room_id, teaching_mode, day, start, end, seen },
    refusal: replanFault({ ...lesson, cancelled_at: lesson.status === 4 ? lesson.start_time : null }, client.now()),
  };
});

export const action = dialogAction(screen);

export default screen.page<typeof loader>(({ CheckField, SelectField, TextField }, { options, students }) => (
  <>
    <TextField name="day" type="date" label="日期" withAsterisk />
    <LessonFields options={options} />
    <SelectField name="period_id" label="课时" placeholder="不对应课时" choices={periodChoices(options)} />
    <CheckField name="notify" label={`改时间时短信通知学员（${students}人）`} />
  </>
));
