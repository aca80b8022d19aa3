import type { CalendarCourse } from '#server/calendar/contract.ts';
import { formatTime } from '../lib/dates.ts';
import { Empty } from '../ui/empty.tsx';
import type { CalendarData } from './calendar.server.ts';
import { dayName, weekdayNames, weekOf } from './days.ts';
import { entryTitle, statusName, typeName } from './terms.ts';
import styles from './week-columns.posts.module.css';

interface WeekColumnsProps {
  data: CalendarData;
  dayHref: (day: string) => string;
}

export function WeekColumns({ data: { date, today, timezone, courses }, dayHref }: WeekColumnsProps) {
  const time = (seconds: number) => formatTime(seconds, timezone);
  const byDay = new Map<string, CalendarCourse[]>();
  for (const course of courses) {
    const day = time(course.start_play).slice(0, 10);
    const known = byDay.get(day);
    if (known) known.push(course);
    else byDay.set(day, [course]);
  }
  return (
    <div className={styles.week}>
      {weekOf(date).map((day, index) => {
        const ofDay = byDay.get(day) ?? [];
        return (
          <section key={day} className={styles.day} data-today={day === today ? true : undefined}>
            <h3>
              <a href={dayHref(day)} aria-current={day === today ? 'date' : undefined}>
                周{weekdayNames[index]} <span className={styles.date}>{dayName(day)}</span>
              </a>
            </h3>
            {ofDay.length === 0 && <Empty>无课程</Empty>}
            {ofDay.map((course) => (
              <WeekCourse
                key={`${course.kind}-${course.id}`}
                course={course}
                start={time(course.start_play).slice(11)}
                end={time(course.end_play).slice(11)}
                href={dayHref(day)}
              />
            ))}
          </section>
        );
      })}
    </div>
  );
}

function WeekCourse({
  course,
  start,
  end,
  href,
}: {
  course: CalendarCourse;
  start: string;
  end: string;
  href: string;
}) {
  return (
    <a
      className={styles.course}
      href={`${href}#${course.kind}-${course.id}`}
      data-status={course.is_cancelled === 1 ? 'cancelled' : course.live_status}
    >
      <span className={styles.time}>
        {start}–{end}
      </span>
      <span className={styles.title}>{entryTitle(course)}</span>
      {course.class_name && <span className={styles.meta}>{course.class_name}</span>}
      <span className={styles.meta}>
        {typeName(course)} · {statusName(course)}
      </span>
    </a>
  );
}
