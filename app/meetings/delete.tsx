/** Asks before a meeting is deleted, over the class that it is of. */
import { deleteMeeting, showMeeting } from '#server/meetings/contract.ts';
import { arrangeFault } from '#server/meetings/rules.ts';
import { api } from '../api/client.server.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { asks, confirmed } from '../shell/confirm.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { confirmDialog } from '../ui/confirm-dialog.tsx';
import type { Route } from './+types/delete';
import { meetingDeletion } from './screens.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => titled('删除班会');

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const meeting = await context.get(api).send(showMeeting, { params: { id: params.meeting } });
  mustBeAllowed(context, forbiddenBy(arrangeFault(meeting.is_can_edit === 1, '删除')));
  return asks(meeting.meeting_name, meetingDeletion.behind(url));
}

export const action = ({ params, url, ...sent }: Route.ActionArgs) =>
  confirmed(sent, meetingDeletion.behind(url), (client, idempotencyKey) =>
    client.ask(deleteMeeting, { params: { id: params.meeting }, idempotencyKey }),
  );

export default confirmDialog({
  title: '删除班会',
  kind: '班会',
  question: '删除后数据无法恢复，确定删除本次班会吗?',
  confirm: '确定删除',
});
