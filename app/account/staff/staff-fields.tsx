/** Form fields of a member of staff, used when adding and editing. */

import { personNameLimit, usernameLimit } from '#server/account/rules.ts';
import type { editStaffMember } from '#server/account/staff.contract.ts';
import { type Identity, permissionsFor } from '#server/platform/auth/rules.ts';
import { permissionNames } from '#server/school/call.ts';
import { BoundSchools } from '../../schools/bound-schools.tsx';
import { fieldsOf } from '../../ui/fields-of.ts';
import { choicesOf } from '../../ui/filter-form.tsx';

const { ChecksField, SelectField, TextField } = fieldsOf<typeof editStaffMember>();

interface StaffFieldsProps {
  identity: Identity;
  /** Schools that the signed-in administrator manages. */
  schools: { id: number; name: string }[];
  /** True if the signed-in administrator manages all schools and may give that right to others. */
  everySchool: boolean;
}

export function StaffFields({ identity, schools, everySchool }: StaffFieldsProps) {
  return (
    <>
      <TextField name="real_name" label="姓名" withAsterisk limit={personNameLimit} autoComplete="off" />
      <TextField
        name="username"
        label="用户名"
        withAsterisk
        description={`登录时使用，不区分大小写，最多${usernameLimit}个字符`}
        autoComplete="off"
        autoCapitalize="none"
      />
      <TextField name="mobile" label="手机号" inputMode="numeric" autoComplete="off" />
      <SelectField name="school_id" label="所属学校" withAsterisk placeholder="请选择" choices={choicesOf(schools)} />
      <ChecksField
        name="permissions"
        label="权限"
        inline
        choices={permissionsFor(identity).map((permission) => [permission, permissionNames[permission]])}
      />
      {identity === 'admin' && <BoundSchools schools={schools} everySchool={everySchool} labels={managedSchools} />}
    </>
  );
}

const managedSchools = {
  every: '管理全部学校，包括以后添加的',
  some: '只管理这些学校（未勾选“管理全部学校”时）',
  only: '管理的学校',
};
