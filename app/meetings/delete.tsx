/** Asks before a meeting is deleted, over the class that it is of. */
import { deleteMeeting, showMeeting } from '#server/meetings/contract.ts';
import { arrangeFault } from '#server/meetings/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { takeForm } from '../shell/form-action.server.ts';
import type { Route } from './+types/delete';
import { meetingDeletion } from './screens.ts';

const dialog = confirmDialog({ verb: '删除', kind: '班会', question: '删除后数据无法恢复，确定删除本次班会吗?' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  const meeting = await context.get(api).send(showMeeting, { params: { id: meetingDeletion.at(url).meeting } });
  mustBeAllowed(context, forbiddenBy(arrangeFault(meeting.is_can_edit === 1, '删除')));
  return { name: meeting.meeting_name, ...meetingDeletion.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, meetingDeletion.behind(url), (client, idempotencyKey) =>
    client.ask(deleteMeeting, { params: { id: meetingDeletion.at(url).meeting }, idempotencyKey }),
  );

export default dialog.Confirm;
