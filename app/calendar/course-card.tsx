/** Card of a calendar entry, with links into its live room. */
import { Button } from '@mantine/core';
import type { CalendarCourse } from '#server/calendar/contract.ts';
import { offlineCourse } from '#server/classes/rules.ts';
import { lessonHomeworkFault, sourceSession } from '#server/homework/rules.ts';
import { periodRoll } from '../attendance/screens.ts';
import { publish } from '../homework/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { liveRoom } from '../live/screens.ts';
import { groupSession, oneToOneSession, sessionRoll } from '../sessions/screens.ts';
import { RowAction, rowActionClass } from '../ui/row-action.tsx';
import { usePerson } from '../ui/use-school.ts';
import styles from './course-card.posts.module.css';
import { entryTitle, hasLiveRoom, statusName, typeName } from './terms.ts';

interface CourseCardProps {
  course: CalendarCourse;
  timezone: string;
  codesHref: string;
  /** Heading level of the card, one below the heading of the day. */
  heading?: 'h3' | 'h4';
  /** Address of the calendar. Links of the card return to it. */
  here: string;
  /** True in the user's own calendar. Only there can homework be published for an entry. */
  isOwn: boolean;
}

export function CourseCard({ course, timezone, codesHref, heading: Heading = 'h4', here, isOwn }: CourseCardProps) {
  const time = (seconds: number) => formatTime(seconds, timezone).slice(11);
  const details = [
    course.kind === 'meeting' ? '' : course.course_title,
    course.class_name,
    course.nickname && `${course.kind === 'meeting' ? '班主任' : '讲师'}：${course.nickname}`,
    course.room_name,
  ].filter((text) => text !== '');
  const isOpen = course.is_cancelled === 0 && course.live_status !== 3;
  return (
    <article
      className={styles.card}
      id={`${course.kind}-${course.id}`}
      data-status={course.is_cancelled === 1 ? 'cancelled' : course.live_status}
      aria-label={entryTitle(course)}
    >
      <p className={styles.time}>
        {time(course.start_play)}–{time(course.end_play)}
      </p>
      <div className={styles.main}>
        <Heading className={styles.title}>
          <span className={styles.type}>{typeName(course)}</span> {entryTitle(course)}
        </Heading>
        <p className={styles.details}>{details.join(' · ')}</p>
        {course.advance_time > 0 && isOpen && hasLiveRoom(course) && (
          <p className={styles.details}>学员可提前{course.advance_time}分钟进入</p>
        )}
      </div>
      <div className={styles.side}>
        <span className={styles.status}>{statusName(course)}</span>
        <div className={styles.actions}>
          <Entry course={course} here={here} isOwn={isOwn} />
          {isOpen && hasLiveRoom(course) && hasJoinCodes(course) && (
            <RowAction label="参会码" recordName={entryTitle(course)} href={codesHref} main />
          )}
          <RollCall course={course} here={here} />
          {isOwn && <Homework course={course} here={here} />}
          {course.kind === 'course' && (
            <RowAction label="课次详情" recordName={entryTitle(course)} href={lessonAddress(course)} main />
          )}
        </div>
      </div>
    </article>
  );
}

/** Button 点名 (roll call). Shown once the period or lesson has begun, if its roll is called at all. */
function RollCall({ course, here: back }: Pick<CourseCardProps, 'course' | 'here'>) {
  const isAssistant = usePerson()?.identity === 'assist';
  const { kind, id, course_type, live_status, is_cancelled } = course;
  if (is_cancelled === 1) return null;
  const href =
    kind === 'course' && isAssistant && live_status !== 1
      ? sessionRoll.href({ id, back })
      : kind === 'period' && course_type === offlineCourse && live_status !== 1
        ? periodRoll.href({ period_id: id, back })
        : undefined;
  return href && <RowAction label="点名" recordName={entryTitle(course)} href={href} main />;
}

function Homework({ course, here: back }: Pick<CourseCardProps, 'course' | 'here'>) {
  const { permissions, settings } = usePerson() ?? {};
  const { kind, id, course_basis_id: course_id, is_cancelled } = course;
  if (!permissions?.includes('dispatch') || is_cancelled === 1) return null;
  const href =
    kind === 'period'
      ? publish.href({ course_id, period_id: id, back })
      : kind === 'course' && !lessonHomeworkFault(settings)
        ? publish.href({ arrange_id: id, arrange_type: sourceSession, back })
        : undefined;
  return href && <RowAction label="布置作业" recordName={entryTitle(course)} href={href} main />;
}

const liveAddress = (course: CalendarCourse, more: { group_id?: number; back?: string | undefined } = {}) =>
  liveRoom.href({ type: course.kind, id: course.id, ...more });

const lessonAddress = ({ class_type, id }: CalendarCourse) =>
  (class_type === 1 ? oneToOneSession : groupSession).href({ id });

export const hasJoinCodes = ({ student_code, assistant_code, teacher_code }: CalendarCourse): boolean =>
  [student_code, assistant_code, teacher_code].some((code) => code !== '');

function Entry({ course, here, isOwn }: Pick<CourseCardProps, 'course' | 'here' | 'isOwn'>) {
  // Live rooms return to the user's own calendar by default.
  const back = isOwn ? undefined : here;
  const { way, reason } = course.entry;
  const reasonId = `reason-${course.kind}-${course.id}`;
  if (way === 'enter' || way === 'choose') {
    return (
      <>
        <Button component="a" href={liveAddress(course, { back: way === 'choose' ? here : back })}>
          进入直播
        </Button>
        {course.assistant_room === 1 && <AssistantRooms course={course} />}
      </>
    );
  }
  if (way === 'playback') {
    return <RowAction label="查看回放" recordName={entryTitle(course)} href={liveAddress(course, { back })} main />;
  }
  if (way === 'no_playback') {
    return <RowAction label={reason} recordName={entryTitle(course)} fault={reason} main />;
  }
  if (way === 'no_group') {
    return (
      <>
        <Button type="button" disabled aria-describedby={reasonId}>
          进入直播
        </Button>
        <span className={styles.reason} id={reasonId}>
          {reason}
        </span>
      </>
    );
  }
  // If the room may not be entered, this replaces its button: the reason, unless the card shows the reason already.
  const isPlain = course.is_cancelled === 1 || !hasLiveRoom(course);
  return isPlain ? null : <span className={styles.reason}>{reason}</span>;
}

/** Links to the groups' assistant rooms, for a lecturer who may enter them. */
function AssistantRooms({ course }: { course: CalendarCourse }) {
  const [only, ...more] = course.class_list;
  if (!only) return null;
  if (more.length === 0) {
    return (
      <RowAction
        label="进入助教直播间"
        recordName={entryTitle(course)}
        href={liveAddress(course, { group_id: only.class_group_id })}
        main
      />
    );
  }
  return (
    <details className={styles.rooms}>
      <summary className={rowActionClass}>进入助教直播间</summary>
      <ul>
        {course.class_list.map(({ class_group_id, group_name }) => (
          <li key={class_group_id}>
            <a href={liveAddress(course, { group_id: class_group_id })}>{group_name}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
