import type { editStudent } from '#server/students/contract.ts';
import { studentNameLimit, studentNumberLimit } from '#server/students/rules.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';

const { SelectField, TextField } = fieldsOf<typeof editStudent>();

export function StudentFields({ schools }: { schools: { id: number; name: string }[] }) {
  return (
    <>
      <TextField name="nickname" label="姓名" withAsterisk limit={studentNameLimit} autoComplete="off" />
      <TextField
        name="number"
        label="学号"
        description={`同一学校内不重复，最多${studentNumberLimit}个字符`}
        autoComplete="off"
      />
      <TextField name="mobile" label="手机号" inputMode="numeric" autoComplete="off" />
      <TextField name="guardian_mobile" label="家长手机号" inputMode="numeric" autoComplete="off" />
      <SelectField name="school_id" label="学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
    </>
  );
}
