/** The learner's lessons and meetings of a week, by day. */
import { formatDay } from '../lib/dates.ts';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/lessons';
import { type Lesson, Lessons } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { useLearner } from './layout.tsx';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnLeaveRequest, learnLessons } from './screens.ts';
import { attendanceNames, leaveNames, lessonKindNames } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('我的课表');

const week = 7 * 24 * 60 * 60;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { from } = learnLessons.at(url);
  return {
    lessons: await context.get(learnerContext).get(`lessons${from === undefined ? '' : `?from=${from}`}`, Lessons),
  };
}

export default function LearnerLessons({ loaderData: { lessons } }: Route.ComponentProps) {
  const { from, list } = lessons;
  const timezone = useLearner()?.timezone ?? 'Asia/Shanghai';
  const days = [...new Set(list.map(({ start }) => formatDay(start, timezone)))];
  return (
    <Screen title="我的课表">
      <nav className={styles.links} aria-label="日期">
        <a href={learnLessons.href({ from: from - week })}>前一周</a>
        <a href={learnLessons.href()}>从今天起</a>
        <a href={learnLessons.href({ from: from + week })}>后一周</a>
      </nav>
      {list.length === 0 && <Empty>这七天没有课</Empty>}
      {days.map((day) => (
        <section key={day}>
          <h2>{day}</h2>
          <LessonRows rows={list.filter(({ start }) => formatDay(start, timezone) === day)} />
        </section>
      ))}
    </Screen>
  );
}

/** Says when a lesson can be joined. Live rooms open in the school's own application, so there is no link. */
function Joining({ lesson: { join, is_cancelled } }: { lesson: Lesson }) {
  if (is_cancelled === 1 || join.state === 'over') return null;
  if (join.state === 'closed') return <p>{join.reason}</p>;
  if (join.state === 'open')
    return <p>{join.code ? `现在可以进入，参会码 ${join.code}` : '正在上课，请在学校的上课软件中进入'}</p>;
  if (join.opens_at === null) return null;
  return (
    <p>
      <LearnerTime at={join.opens_at} /> 起可以进入
    </p>
  );
}

export function LessonRows({ rows }: { rows: readonly Lesson[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={styles.rows}>
      {rows.map((row) => (
        <li key={`${row.kind} ${row.id}`}>
          <strong>{row.title}</strong>
          <p>
            <LearnerTime at={row.start} /> · {lessonKindNames[row.kind]}
            {row.course && ` · ${row.course.name}`}
          </p>
          <p>
            {row.nickname}
            {row.room_name && ` · ${row.room_name}`} {row.is_cancelled === 1 && <Tag tone="bad">已取消</Tag>}
            {row.op_status !== null && row.op_status >= 0 && <Tag>{leaveNames[row.op_status] ?? ''}</Tag>}
            {row.attended !== null && <Tag>{attendanceNames[row.kind][row.attended] ?? ''}</Tag>}
          </p>
          <Joining lesson={row} />
          {row.may_ask_leave === 1 && row.course && (
            <p>
              <a
                href={learnLeaveRequest.href({
                  class_id: row.class.id,
                  course_id: row.course.id,
                  period_id: row.id,
                  from: row.start,
                })}
              >
                请假<span className="visually-hidden">：{row.title}</span>
              </a>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
