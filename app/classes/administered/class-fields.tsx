/** What is written of a class that takes courses: the same where it is added and where it is edited. */
import type { addClass, ClassOptions, NewClass, WrittenClass } from '#server/classes/administered.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import { textOf } from '../../lib/form-data.ts';
import { fieldsOf } from '../../ui/fields-of.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { pickedIn } from '../../ui/picked-field.tsx';

const { CheckField, RadioField, SelectField, TextField } = fieldsOf<typeof addClass>();

interface ClassFieldsProps {
  options: Pick<ClassOptions, 'grades' | 'classifies' | 'large_classes'>;
}

export function ClassFields({ options }: ClassFieldsProps) {
  return (
    <>
      <HiddenField name="acknowledged" />
      <TextField name="name" label="班级名称" withAsterisk limit={classNameLimit} autoComplete="off" />
      <SelectField name="grade_id" label="年级" placeholder="不设置" choices={choicesOf(options.grades)} />
      <SelectField name="classify_id" label="分类" placeholder="不设置" choices={choicesOf(options.classifies)} />
      {options.large_classes.length > 0 && (
        <SelectField
          name="large_class_id"
          label="大班"
          description="同一大班的班级共用课表"
          placeholder="不属于大班"
          choices={choicesOf(options.large_classes)}
        />
      )}
      <RadioField
        name="valid_type"
        label="有效期"
        inline
        choices={[
          [1, '长期有效'],
          [2, '有最后一天'],
        ]}
      />
      <TextField
        name="valid_day"
        type="date"
        label="最后一天"
        description="选择“有最后一天”时填写，当天结束后班级结束"
      />
      <CheckField name="is_circle_hidden" label="不显示班级圈子" />
    </>
  );
}

const idIn = (form: FormData, name: string): number | undefined => Number(textOf(form, name)) || undefined;

/** As the calls take it. */
export const writtenClass = (form: FormData): WrittenClass & NewClass => ({
  name: textOf(form, 'name'),
  school_id: idIn(form, 'school_id'),
  grade_id: idIn(form, 'grade_id'),
  classify_id: idIn(form, 'classify_id'),
  large_class_id: idIn(form, 'large_class_id'),
  valid_type: textOf(form, 'valid_type') === '2' ? 2 : 1,
  valid_day: textOf(form, 'valid_day'),
  is_circle_hidden: textOf(form, 'is_circle_hidden') === '1' ? 1 : undefined,
  head_ids: pickedIn(form, 'head_ids'),
  assistant_ids: pickedIn(form, 'assistant_ids'),
  course_ids: pickedIn(form, 'course_ids'),
  acknowledged: textOf(form, 'acknowledged'),
  seen: textOf(form, 'seen'),
});
