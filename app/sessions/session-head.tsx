/** What a lesson is, and what can be done with it. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { fromSession } from '#server/homework/rules.ts';
import type { SessionDetail } from '#server/sessions/contract.ts';
import { publish } from '../homework/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { usePerson, useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button-class.ts';
import styles from './session.module.css';
import { SessionActions } from './session-actions.tsx';
import { SessionStatusTag } from './status-tag.tsx';
import { sessionTime, sessionTopic, sessionTypeNames, teachingModeNames } from './terms.ts';

interface HeadProps {
  session: SessionDetail;
  isLecturer: boolean;
  /** Of the leave dialog over the present screen. */
  leaveHref: string;
  /** Homework may be published from it. */
  publishes: boolean;
  /** The lesson's homework, where publishing leads back to. */
  homeworkHref: string;
}

export function SessionHead({ session, isLecturer, leaveHref, publishes, homeworkHref }: HeadProps) {
  return (
    <div className={styles.head}>
      <h1>
        {session.class_name} <SessionStatusTag status={session.status} />
      </h1>
      <div className="no-print">
        <SessionActions
          session={session}
          isLecturer={isLecturer}
          leaveHref={leaveHref}
          linkClass={buttonClass('plain')}
          enterClass={buttonClass('primary')}
          isDetail
        />
        {publishes && (
          <Button
            component="a"
            href={publish.href({ arrange_id: session.id, arrange_type: fromSession, back: homeworkHref })}
          >
            布置作业
          </Button>
        )}
      </div>
    </div>
  );
}

export function SessionInformation({ session }: { session: SessionDetail }) {
  const timezone = useTimezone();
  const settings = usePerson()?.settings;
  return (
    <section aria-labelledby="information">
      <h2 id="information">基本信息</h2>
      <dl className={styles.terms}>
        <Term name="上课时间">{sessionTime(session, timezone)}</Term>
        <Term name="类型">{sessionTypeNames[session.class_type]}</Term>
        <Term name="授课方式">{teachingModeNames[session.teaching_mode]}</Term>
        <Term name="课程">{session.course_title}</Term>
        <Term name="章节">{sessionTopic(session) || '-'}</Term>
        <Term name="科目">{session.sub_name || '-'}</Term>
        {settings?.show_grade && <Term name="年级">{session.grade_name || '-'}</Term>}
        {settings?.show_classify && <Term name="分类">{session.classify_name || '-'}</Term>}
        <Term name="授课老师">{session.nickname}</Term>
        {session.clue_name && <Term name="学员">{session.clue_name}</Term>}
        <Term name="校区">{session.org_name}</Term>
        {session.address && <Term name="上课地点">{session.address}</Term>}
        <Term name="应到">{session.should_arrive}人</Term>
        <Term name="出勤">{session.arrived}人</Term>
        <Term name="请假">{session.leave}人</Term>
        <Term name="旷课">{session.truants}人</Term>
        <Term name="排课时间">{formatTime(session.created_at, timezone)}</Term>
      </dl>
    </section>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
