/** What can be done with a scheduled lesson from wherever it is shown. */
import type { SessionRow } from '#server/sessions/contract.ts';
import { leaveFault } from '#server/sessions/rules.ts';
import { liveRoom } from '../live/screens.ts';
import { communicationList, sessionDetail } from './screens.ts';

interface SessionActionsProps {
  session: SessionRow;
  isLecturer: boolean;
  /** Of the leave dialog over the present screen. */
  leaveHref: string;
  linkClass: string;
  enterClass?: string;
  /** The screen is the lesson's own. */
  isDetail?: boolean;
}

/** A scheduled lesson has a room of its own. Before the start and while it lasts, where it has a live room that is open. */
const mayEnter = ({ status, allow_enter }: SessionRow) => (status === 2 || status === 3) && allow_enter === 0;

export function SessionActions(props: SessionActionsProps) {
  const { session, isLecturer, leaveHref, linkClass, enterClass = linkClass, isDetail } = props;
  const of = `：${session.class_name} ${session.time_name}`;
  return (
    <>
      {mayEnter(session) && (
        <a className={enterClass} href={liveRoom.href({ type: 'course', id: session.id })} aria-label={`进入直播${of}`}>
          进入直播
        </a>
      )}
      {!isDetail && (
        <a className={linkClass} href={sessionDetail(session).href({ id: session.id })} aria-label={`详情${of}`}>
          详情
        </a>
      )}
      <a
        className={linkClass}
        href={communicationList.href({ id: session.id, user_id: session.user_id })}
        aria-label={`沟通记录${of}`}
      >
        沟通记录
      </a>
      {isLecturer && leaveFault(session.status) === undefined && (
        <a className={linkClass} href={leaveHref} aria-label={`请假${of}`}>
          请假
        </a>
      )}
    </>
  );
}
