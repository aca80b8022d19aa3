/** Header of a lesson with its actions. */
import { Button } from '@mantine/core';
import { sourceSession } from '#server/homework/rules.ts';
import type { SessionDetail } from '#server/sessions/contract.ts';
import { publish } from '../homework/screens.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { usePerson } from '../ui/use-school.ts';
import styles from './session.posts.module.css';
import { sessionActions } from './session-actions.ts';
import { SessionTime } from './session-time.tsx';
import { SessionStatusTag } from './status-tag.tsx';
import { sessionTopic, sessionTypeNames, teachingModeNames } from './terms.ts';

interface HeadProps {
  session: SessionDetail;
  isLecturer: boolean;
  /** Address of the dialog for the lecturer's leave, over the current screen. */
  leaveHref: string;
  publishes: boolean;
  /** Address of the lesson's homework. Publishing returns to it. */
  homeworkHref: string;
}

export function SessionHead({ session, isLecturer, leaveHref, publishes, homeworkHref }: HeadProps) {
  const { enter, more } = sessionActions(session, { isLecturer, leaveHref });
  const publishHref = publish.href({ arrange_id: session.id, arrange_type: sourceSession, back: homeworkHref });
  return (
    <div className={styles.head}>
      <h1>
        {session.class_name} <SessionStatusTag status={session.status} />
      </h1>
      <div className="no-print">
        {enter && (
          <Button component="a" href={enter.href} aria-label={`${enter.label}：${enter.recordName}`}>
            {enter.label}
          </Button>
        )}
        {more.map(({ label, recordName, href, danger }) => (
          <Button
            component="a"
            key={label}
            href={href}
            {...(danger ? { variant: 'outline', color: 'red' } : { variant: 'default' })}
            aria-label={`${label}：${recordName}`}
          >
            {label}
          </Button>
        ))}
        {publishes &&
          (enter ? (
            // The button is a secondary one if the button of the live room is beside it.
            <Button component="a" variant="default" href={publishHref}>
              布置作业
            </Button>
          ) : (
            <Button component="a" href={publishHref}>
              布置作业
            </Button>
          ))}
      </div>
    </div>
  );
}

export function SessionInformation({ session }: { session: SessionDetail }) {
  const settings = usePerson()?.settings;
  return (
    <section aria-label="基本信息" className={styles.information}>
      <Facts>
        <Fact term="上课时间">
          <SessionTime session={session} />
        </Fact>
        <Fact term="课程">{session.course_title}</Fact>
        <Fact term="章节">{sessionTopic(session) || '-'}</Fact>
        <Fact term="授课老师">{session.nickname}</Fact>
        <Fact term="应到">{session.should_arrive}人</Fact>
        <Fact term="出勤">{session.arrived}人</Fact>
        <Fact term="请假">{session.leave}人</Fact>
        <Fact term="旷课">{session.truants}人</Fact>
        {session.uncalled > 0 && <Fact term="未点名">{session.uncalled}人</Fact>}
      </Facts>
      <details>
        <summary>基本信息</summary>
        <Facts inColumns>
          <Fact term="类型">{sessionTypeNames[session.class_type]}</Fact>
          <Fact term="授课方式">{teachingModeNames[session.teaching_mode]}</Fact>
          <Fact term="科目">{session.sub_name || '-'}</Fact>
          {settings?.show_grade && <Fact term="年级">{session.grade_name || '-'}</Fact>}
          {settings?.show_classify && <Fact term="分类">{session.classify_name || '-'}</Fact>}
          {session.clue_name && <Fact term="学员">{session.clue_name}</Fact>}
          <Fact term="校区">{session.org_name}</Fact>
          {session.address && <Fact term="上课地点">{session.address}</Fact>}
          {!session.address && session.room_name && <Fact term="教室">{session.room_name}</Fact>}
          <Fact term="排课时间">
            <NearMoment at={session.created_at} />
          </Fact>
        </Facts>
      </details>
    </section>
  );
}
