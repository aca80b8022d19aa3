import { Button } from '@mantine/core';
import type { SessionRow } from '#server/sessions/contract.ts';
import type { AddressOf } from '../lib/address.ts';
import { RowAction } from '../ui/row-action.tsx';
import styles from './manage.posts.module.css';
import { leaveFromList, type sessionList } from './screens.ts';
import { sessionActions } from './session-actions.ts';
import { SessionTime } from './session-time.tsx';
import { SessionStatusTag } from './status-tag.tsx';
import { sessionTopic, sessionTypeNames, teachingModeNames } from './terms.ts';

interface SessionsProps {
  sessions: SessionRow[];
  isLecturer: boolean;
  /** Address of the list. Dialogs close to it. */
  here: AddressOf<typeof sessionList>;
}

export function SessionCards({ sessions, ...shown }: SessionsProps) {
  return (
    <ul className={styles.cards}>
      {sessions.map((session) => (
        <SessionCard key={session.id} session={session} {...shown} />
      ))}
    </ul>
  );
}

type CardProps = Omit<SessionsProps, 'sessions'> & { session: SessionRow };

function SessionCard({ session, isLecturer, here }: CardProps) {
  const { enter, detail, more } = sessionActions(session, {
    isLecturer,
    leaveHref: leaveFromList.href(here, { id: session.id }),
  });
  return (
    <li className={styles.card} data-live={session.status === 3 || undefined}>
      <div className={styles.top}>
        <span className={styles.kind}>{sessionTypeNames[session.class_type]}</span>
        <SessionStatusTag status={session.status} />
      </div>
      <dl>
        <dt>班级名称</dt>
        <dd className={styles.name}>{session.class_name}</dd>
        <dt>上课时间</dt>
        <dd>
          <SessionTime session={session} />
        </dd>
        <dt>课程</dt>
        <dd>
          {session.course_title}
          {sessionTopic(session) && ` · ${sessionTopic(session)}`}
        </dd>
        <dt>授课方式</dt>
        <dd>
          {teachingModeNames[session.teaching_mode]}
          {session.room_name && ` · ${session.room_name}`}
        </dd>
        {session.clue_name && (
          <>
            <dt>学员</dt>
            <dd>{session.clue_name}</dd>
          </>
        )}
        {!isLecturer && (
          <>
            <dt>授课老师</dt>
            <dd>{session.nickname}</dd>
          </>
        )}
      </dl>
      <div className={`${styles.cardActions} no-print`}>
        {enter && (
          <Button component="a" href={enter.href} aria-label={`${enter.label}：${enter.recordName}`}>
            {enter.label}
          </Button>
        )}
        {[detail, ...more].map((action) => (
          <RowAction key={action.label} {...action} />
        ))}
      </div>
    </li>
  );
}
