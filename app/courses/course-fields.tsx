/** Fields of a course, in the forms that add and edit one. */
import type { CourseChoices, editCourse } from '#server/courses/contract.ts';
import { courseTitleLimit, introductionLimit } from '#server/courses/rules.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';
import { kindChoicesWith } from './terms.ts';

const { AreaField, CheckField, SelectField, TextField } = fieldsOf<typeof editCourse>();

interface CourseFieldsProps {
  choices: Pick<CourseChoices, 'classify' | 'grades' | 'subjects'>;
  parents: readonly { id: number; name: string }[];
  /** Current type of the course. It is offered even if new courses cannot have it. */
  type: number;
}

export function CourseFields({ choices: { classify, grades, subjects }, parents, type }: CourseFieldsProps) {
  return (
    <>
      <TextField name="title" label="课程名称" withAsterisk limit={courseTitleLimit} autoComplete="off" />
      <SelectField
        name="course_type"
        label="课程类型"
        withAsterisk
        placeholder="请选择"
        description="小组直播课和线下课记考勤；小组直播课有助教直播间"
        choices={kindChoicesWith(type)}
      />
      <SelectField name="classify_id" label="分类" placeholder="无" choices={choicesOf(classify)} />
      <SelectField name="grade_id" label="年级" placeholder="无" choices={choicesOf(grades)} />
      <SelectField name="subject_id" label="科目" placeholder="无" choices={choicesOf(subjects)} />
      <SelectField name="parent_id" label="上级课程" placeholder="无" choices={choicesOf(parents)} />
      <AreaField name="introduction" label="简介" limit={introductionLimit} rows={3} />
      <CheckField name="course_extend" label="讲师可以进入助教直播间" />
    </>
  );
}
