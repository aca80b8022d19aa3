/** Fields of a group class or one-to-one class, in the forms that add and edit one. */
import type { ClassOptions } from '#server/classes/admin.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import type { addLessonClass } from '#server/group-classes/admin.contract.ts';
import { remarksLimit, scheduleNoteLimit, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { fieldsOf } from '../../ui/fields-of.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { teachingModeChoices } from '../terms.ts';

const { AreaField, RadioField, SelectField, TextField } = fieldsOf<typeof addLessonClass>();

export function TeamFields({ options }: { options: ClassOptions }) {
  return (
    <>
      <TextField name="name" label="班级名称" withAsterisk limit={classNameLimit} autoComplete="off" />
      <SelectField name="grade_id" label="年级" placeholder="不设置" choices={choicesOf(options.grades)} />
      <SelectField name="classify_id" label="分类" placeholder="不设置" choices={choicesOf(options.classifies)} />
      <SelectField name="subject_id" label="科目" placeholder="不设置" choices={choicesOf(options.subjects)} />
      <SelectField name="lecturer_id" label="讲师" placeholder="不设置" choices={choicesOf(options.lecturers)} />
      <SelectField name="room_id" label="教室" placeholder="不设置" choices={choicesOf(options.rooms)} />
      <RadioField name="teaching_mode" label="授课方式" inline choices={teachingModeChoices} />
      <RadioField
        name="sign_type"
        label="计费方式"
        inline
        choices={signTypes.map((type) => [type, signTypeNames[type]] as const)}
      />
      <TextField name="start_day" type="date" label="开课日期" withAsterisk />
      <TextField
        name="schedule"
        label="上课时间说明"
        limit={scheduleNoteLimit}
        placeholder="每周六 9:00-10:30"
        autoComplete="off"
      />
      <AreaField name="remarks" label="备注" limit={remarksLimit} autosize minRows={2} />
    </>
  );
}
