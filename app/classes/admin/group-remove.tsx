import { removeClassGroup, showClassGroup } from '#server/classes/groups.contract.ts';
import { groupRemovalFault } from '#server/classes/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { adminClass, classGroupRemove } from '../screens.ts';

const dialog = confirmDialog({
  call: removeClassGroup,
  at: classGroupRemove,
  params: (url) => ({ id: adminClass.at(url).id, groupId: classGroupRemove.at(url).group }),
  verb: '删除',
  kind: '分组',
  question: '该分组没有学员，删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const group = await client.send(showClassGroup, { params });
  return { name: group.group_name, refusal: groupRemovalFault(group) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
