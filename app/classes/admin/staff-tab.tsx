import type { ClassOptions, ClassRecord, editClassStaff } from '#server/classes/admin.contract.ts';
import { Submit } from '../../ui/form.tsx';
import { formOf } from '../../ui/form-of.ts';
import type { RefusedForm } from '../../ui/form-state.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { MultiPickerField } from '../../ui/multi-picker-field.tsx';
import { recordFormClass } from '../../ui/record-form.ts';

const { Form } = formOf<typeof editClassStaff>();

interface StaffTabProps {
  theClass: ClassRecord;
  options: ClassOptions;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

export function StaffTab({ theClass, options, idempotencyKey, refused }: StaffTabProps) {
  const ids = (people: ClassRecord['heads']) => people.map(({ id }) => id);
  const named = (people: ClassRecord['heads']) =>
    people.map(({ id, real_name, is_disabled }) => ({ id, name: real_name + (is_disabled === 1 ? '（已停用）' : '') }));
  return (
    <Form
      idempotencyKey={idempotencyKey}
      refused={refused}
      values={{
        head_ids: ids(theClass.heads),
        assistant_ids: ids(theClass.assistants),
        seen: theClass.staff_seen,
      }}
      className={recordFormClass}
    >
      <HiddenField name="seen" />
      <HiddenField name="acknowledged" />
      <MultiPickerField
        name="head_ids"
        label="班主任"
        description="发布公告、安排班会、管理班级圈子；去掉勾选即不再担任"
        present={named(theClass.heads)}
        choices={options.lecturers}
        more={1}
      />
      <MultiPickerField
        name="assistant_ids"
        label="助教"
        description="看到该班级的学员、作业和课次"
        present={named(theClass.assistants)}
        choices={options.assistants}
        more={2}
      />
      <Submit intent="staff">保存</Submit>
    </Form>
  );
}
