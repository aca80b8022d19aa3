import { removeClass, showAdminClass } from '#server/classes/admin.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { adminClass, adminClasses, adminClassRemove } from '../screens.ts';

const dialog = confirmDialog({
  call: removeClass,
  at: adminClassRemove,
  params: adminClass.at,
  verb: '删除',
  kind: '班级',
  question: '该班级没有学员、作业和课次等记录，删除后不能恢复，确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const { name, removal_fault } = await client.send(showAdminClass, { params });
  return { name, refusal: removal_fault };
});

export const action = dialogAction(dialog, { next: () => adminClasses.href() });

export default dialog.Page;
