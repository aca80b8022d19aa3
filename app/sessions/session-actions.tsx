/** What can be done with a scheduled lesson from wherever it is shown (document 3, section 2). */
import { leaveFault, type SessionRow } from '#server/sessions/contract.ts';
import { communicationHref, liveHref, sessionHref } from './address.ts';

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

/** Before the start and while it lasts, where it has a live room that is open (document 3, section 4). */
const mayEnter = ({ status, allow_enter }: SessionRow) => (status === 2 || status === 3) && allow_enter === 0;

export function SessionActions(props: SessionActionsProps) {
  const { session, isLecturer, leaveHref, linkClass, enterClass = linkClass, isDetail } = props;
  const of = `：${session.class_name} ${session.time_name}`;
  return (
    <>
      {mayEnter(session) && (
        <a className={enterClass} href={liveHref(session)} aria-label={`进入直播${of}`}>
          进入直播
        </a>
      )}
      {!isDetail && (
        <a className={linkClass} href={sessionHref(session)} aria-label={`详情${of}`}>
          详情
        </a>
      )}
      <a className={linkClass} href={communicationHref(session)} aria-label={`沟通记录${of}`}>
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
