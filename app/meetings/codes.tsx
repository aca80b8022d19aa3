/** Dialog with the join codes of a meeting, to copy. */
import { meetingCodes as codesOfMeeting, showMeeting } from '#server/meetings/contract.ts';
import { api } from '../api/client.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Copyables } from '../ui/copyable.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { NearMoment } from '../ui/moment.tsx';
import type { Route } from './+types/codes';
import styles from './meeting.posts.module.css';
import { meetingCodes } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('参会码');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const request = { params: { id: meetingCodes.at(url).meeting } };
  const [meeting, codes] = await Promise.all([client.send(showMeeting, request), client.send(codesOfMeeting, request)]);
  return { meeting, codes, ...meetingCodes.opened(url) };
}

export default function MeetingCodes({ loaderData: { meeting, codes, closeHref } }: Route.ComponentProps) {
  return (
    <Dialog title="参会码" closeHref={closeHref}>
      <p className={styles.name}>
        班会：<strong>{meeting.meeting_name}</strong>
      </p>
      <p className={styles.note}>
        <NearMoment at={meeting.start_time} /> 至 <NearMoment at={meeting.end_time} />
      </p>
      <Copyables
        texts={[
          { label: '讲师参会码', id: 'teacher-code', value: codes.teacher_code },
          { label: '助教参会码', id: 'assistant-code', value: codes.assistant_code },
          { label: '学员参会码', id: 'student-code', value: codes.student_code },
        ].filter(({ value }) => value !== '')}
      />
      <DialogClose closeHref={closeHref} words="关闭" />
    </Dialog>
  );
}
