/** Dialog over a class that confirms the deletion of a notice. */
import { showClass } from '#server/classes/contract.ts';
import { deleteNotice, showNotice } from '#server/notices/contract.ts';
import { schoolFault, writeFault } from '#server/notices/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { noticeDeletion } from './screens.ts';

const dialog = confirmDialog({
  call: deleteNotice,
  at: noticeDeletion,
  params: (url) => ({ id: noticeDeletion.at(url).notice }),
  verb: '删除',
  kind: '公告',
  question: '确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const notice = await client.send(showNotice, { params });
  const theClass = await client.send(showClass, { params: { id: notice.class_id } });
  return {
    name: notice.title,
    refusal:
      forbiddenIfFault(writeFault(theClass.is_header_teacher === 1, '删除')) ??
      forbiddenIfFault(schoolFault(notice.is_can_delete === 0, '删除')),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
