/** Fields of a state-school class, in the forms that add and edit one. */
import type { addClass, ClassOptions } from '#server/classes/admin.contract.ts';
import { classNameLimit } from '#server/classes/rules.ts';
import { fieldsOf } from '../../ui/fields-of.ts';
import { choicesOf } from '../../ui/filter-form.tsx';
import { readPickedIds } from '../../ui/multi-picker-field.tsx';

const { CheckField, ChecksField, RadioField, SelectField, TextField } = fieldsOf<typeof addClass>();

interface ClassFieldsProps {
  options: Pick<ClassOptions, 'grades' | 'classifies' | 'large_classes' | 'terms'>;
}

export function ClassFields({ options }: ClassFieldsProps) {
  return (
    <>
      <TextField name="name" label="班级名称" withAsterisk limit={classNameLimit} autoComplete="off" />
      <SelectField name="grade_id" label="年级" placeholder="不设置" choices={choicesOf(options.grades)} />
      <SelectField name="classify_id" label="分类" placeholder="不设置" choices={choicesOf(options.classifies)} />
      {options.terms.length > 0 && (
        <ChecksField name="term_ids" label="学期" description="班级在哪些学期上课" choices={choicesOf(options.terms)} />
      )}
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

/** Returns the ticked terms in the form that the calls take. */
export const readTerms = (form: FormData) => ({ term_ids: form.getAll('term_ids').map(String) });

/** Returns the picked staff and courses in the form that the calls take. */
export const readPickedStaffAndCourses = (form: FormData) => ({
  head_ids: readPickedIds(form, 'head_ids'),
  assistant_ids: readPickedIds(form, 'assistant_ids'),
  course_ids: readPickedIds(form, 'course_ids'),
});
