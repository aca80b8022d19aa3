/** Fields of a lesson, in the forms that plan and edit lessons. */
import type { editLesson, LessonOptions } from '#server/sessions/lessons.contract.ts';
import { chapterTitleLimit } from '#server/sessions/rules.ts';
import { fieldsOf } from '../../ui/fields-of.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { teachingModeNames } from '../terms.ts';

const { RadioField, SelectField, TextField } = fieldsOf<typeof editLesson>();

export function LessonFields({ options }: { options: LessonOptions }) {
  const { courses, lecturers, rooms } = options;
  return (
    <>
      <SelectField name="course_id" label="课程" withAsterisk placeholder="请选择" choices={choicesOf(courses)} />
      <SelectField name="lecturer_id" label="讲师" withAsterisk placeholder="请选择" choices={choicesOf(lecturers)} />
      <RadioField
        name="teaching_mode"
        label="授课方式"
        inline
        choices={[
          [1, teachingModeNames[1]],
          [2, teachingModeNames[2]],
        ]}
      />
      <SelectField name="room_id" label="教室" placeholder="不设置" choices={choicesOf(rooms)} />
      <TextField name="start" type="time" label="开始时间" withAsterisk />
      <TextField name="end" type="time" label="结束时间" withAsterisk />
      <TextField name="chapter_title" label="课题" limit={chapterTitleLimit} autoComplete="off" />
    </>
  );
}

/** Choices of the period. If there are several courses, each choice also names its course. */
export const periodChoices = ({ courses, periods }: LessonOptions) =>
  periods.map(({ id, name, course_id }) => {
    const course = courses.length > 1 ? courses.find((one) => one.id === course_id) : undefined;
    return [id, course ? `${course.name}：${name}` : name] as const;
  });
