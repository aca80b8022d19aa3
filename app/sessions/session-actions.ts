import type { SessionRow } from '#server/sessions/contract.ts';
import { leaveFault } from '#server/sessions/rules.ts';
import { liveRoom } from '../live/screens.ts';
import { communicationList, sessionDetail, sessionRoll } from './screens.ts';

/** True before and during a lesson with a live room. `allow_enter` is 1 for a lesson that is in person or cancelled. */
const canEnter = ({ status, allow_enter }: SessionRow) => (status === 2 || status === 3) && allow_enter === 0;

interface Viewer {
  isLecturer: boolean;
  /** Address of the dialog for the lecturer's leave, over the current screen. */
  leaveHref: string;
}

/** Actions on a lesson, for every screen that shows it. The action to enter the live room is separate (`enter`). */
export function sessionActions(session: SessionRow, { isLecturer, leaveHref }: Viewer) {
  const recordName = `${session.class_name} ${session.time_name}`;
  const { id, user_id } = session;
  return {
    enter: canEnter(session) && { label: '进入直播', recordName, href: liveRoom.href({ type: 'course', id }) },
    detail: { label: '详情', recordName, href: sessionDetail(session).href({ id }) },
    more: [
      !isLecturer &&
        (session.status === 1 || session.status === 3) && { label: '点名', recordName, href: sessionRoll.href({ id }) },
      { label: '沟通记录', recordName, href: communicationList.href({ id, user_id }) },
      isLecturer &&
        leaveFault(session.status) === undefined && { label: '请假', recordName, href: leaveHref, danger: true },
    ].filter((action) => action !== false),
  };
}
