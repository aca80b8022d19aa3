import type { ClassRecord } from '#server/classes/admin.contract.ts';
import type { editClassGroup } from '#server/classes/groups.contract.ts';
import { groupNameLimit } from '#server/classes/rules.ts';
import { fieldsOf } from '../../ui/fields-of.ts';

const { ChecksField, TextField } = fieldsOf<typeof editClassGroup>();

export function GroupFields({ assistants }: Pick<ClassRecord, 'assistants'>) {
  return (
    <>
      <TextField name="group_name" label="分组名称" withAsterisk limit={groupNameLimit} autoComplete="off" />
      <ChecksField
        name="staff_ids"
        label="助教"
        description={assistants.length === 0 ? '该班级还没有助教' : '进入该分组的直播间'}
        choices={assistants.map(({ id, real_name }) => [id, real_name] as const)}
      />
    </>
  );
}
