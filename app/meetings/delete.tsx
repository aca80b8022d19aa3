/** Dialog over a class that confirms the deletion of a meeting. */
import { deleteMeeting, showMeeting } from '#server/meetings/contract.ts';
import { arrangeFault } from '#server/meetings/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { forbiddenIfFault } from '../shell/permissions.server.ts';
import { meetingDeletion } from './screens.ts';

const dialog = confirmDialog({
  call: deleteMeeting,
  at: meetingDeletion,
  params: (url) => ({ id: meetingDeletion.at(url).meeting }),
  verb: '删除',
  kind: '班会',
  question: '删除后数据无法恢复，确定删除本次班会吗?',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const meeting = await client.send(showMeeting, { params });
  return { name: meeting.meeting_name, refusal: forbiddenIfFault(arrangeFault(meeting.is_can_edit === 1, '删除')) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
