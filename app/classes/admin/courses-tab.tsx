import type { ClassOptions, ClassRecord, editClassCourses, TakenCourse } from '#server/classes/admin.contract.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import type { RefusedForm } from '../../ui/form-state.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { MultiPickerField } from '../../ui/multi-picker-field.tsx';
import { recordFormClass } from '../../ui/record-form.ts';

const { Form } = formOf<typeof editClassCourses>();

interface CoursesTabProps {
  theClass: ClassRecord;
  options: ClassOptions;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

export function CoursesTab({ theClass, options, idempotencyKey, refused }: CoursesTabProps) {
  return (
    <Form
      idempotencyKey={idempotencyKey}
      refused={refused}
      values={{ course_ids: theClass.courses.map(({ id }) => id), seen: theClass.courses_seen }}
      className={recordFormClass}
    >
      <HiddenField name="seen" />
      <HiddenField name="acknowledged" />
      <MultiPickerField
        name="course_ids"
        label="课程"
        description="去掉勾选即不再上该课程，保存前会说明影响"
        present={theClass.courses.map((course) => ({ id: course.id, name: courseWords(course) }))}
        choices={options.courses}
        more={3}
      />
      <Submit intent="courses">保存</Submit>
    </Form>
  );
}

const courseWords = ({ title, periods_count, periods_left, homework }: TakenCourse): string => {
  const notes = [
    `${periods_count}个课时`,
    periods_left > 0 && `${periods_left}个未上`,
    homework > 0 && `${homework}个未截止的作业`,
  ].filter((one) => one !== false);
  return `${title}（${notes.join('，')}）`;
};
