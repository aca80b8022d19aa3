/**
 * A calendar by month, week or day, of the user or of a class. If the address names no view, it shows the month; on a
 * phone the day comes first, with a toolbar of its own.
 */

import { Button } from '@mantine/core';
import { type CalendarCourse, calendarViews } from '#server/calendar/contract.ts';
import { clampDay } from '#server/platform/calls/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import { formatTime } from '../lib/dates.ts';
import { Empty } from '../ui/empty.tsx';
import { useAddress } from '../ui/screen.tsx';
import { SwitchLinks } from '../ui/switch-links.tsx';
import styles from './calendar.posts.module.css';
import type { CalendarData } from './calendar.server.ts';
import { CourseCard } from './course-card.tsx';
import { addDays, addMonths, dayName, monthName, weekday, weekdayNames, weekOf } from './days.ts';
import { MonthGrid } from './month-grid.tsx';
import { type calendarScreens, joinCodes, subscription } from './screens.ts';
import { viewNames } from './terms.ts';
import { WeekColumns } from './week-columns.tsx';

interface CalendarPlace {
  view: CalendarData['view'];
  date: string;
}

interface CalendarProps {
  data: CalendarData;
  isOwn: boolean;
  /** Address of the calendar, with a view and any day in it. */
  address: { at(url: URL): { with(changes: Partial<CalendarPlace>): AddressOf<typeof calendarScreens> } };
}

export function Calendar({ data, address, isOwn }: CalendarProps) {
  const { view, isChosen, date, today, timezone, now, counts, courses, hasFeed } = data;
  const place = useAddress(address);
  // Address of another view or day. Leaves out the day if it is today, and the view if none was chosen.
  const href = (changes: Partial<CalendarPlace>) => {
    const next = { view: isChosen ? view : undefined, date, ...changes };
    const day = clampDay(next.date);
    return place.with({ view: next.view, date: day === today ? undefined : day });
  };
  const here = href({});
  const card = (course: CalendarCourse) => (
    <CourseCard
      key={`${course.kind}-${course.id}`}
      course={course}
      timezone={timezone}
      here={here}
      isOwn={isOwn}
      codesHref={joinCodes.href(here, { entry: `${course.kind}-${course.id}` })}
    />
  );
  return (
    <div className={isChosen ? styles.calendar : `${styles.calendar} ${styles.either}`}>
      <Toolbar view={view} date={date} today={today} href={href} />
      {!isChosen && <Toolbar view="day" date={date} today={today} href={href} />}
      {view === 'week' && <WeekColumns data={data} dayHref={(day) => href({ view: 'day', date: day })} />}
      {view === 'month' && (
        <div className={styles.month}>
          <MonthGrid date={date} today={today} counts={counts} dayHref={(day) => href({ date: day })} />
          <DayCourses date={date} today={today} now={now} timezone={timezone} courses={courses} card={card} />
        </div>
      )}
      {view === 'day' && (
        <DayCourses date={date} today={today} now={now} timezone={timezone} courses={courses} card={card} />
      )}
      <aside className={styles.subscribe} aria-label="日历订阅">
        <p>
          {hasFeed
            ? '已生成订阅地址，手机和电脑的日历会自动更新课程安排。'
            : '把课程安排订阅到手机或电脑的日历，课程调整后自动更新。'}
        </p>
        <Button component="a" href={subscription.href(here)} variant="default">
          {hasFeed ? '管理订阅' : '订阅日历'}
        </Button>
      </aside>
    </div>
  );
}

const steps = { month: addMonths, week: (day: string, by: number) => addDays(day, by * 7), day: addDays };
const units = { month: '月', week: '周', day: '天' };

interface ToolbarProps extends CalendarPlace {
  today: string;
  href: (changes: Partial<CalendarPlace>) => string;
}

/** Title, links to the previous and next range, and links to the other views. */
function Toolbar({ view, date, today, href }: ToolbarProps) {
  const step = steps[view];
  const unit = units[view];
  return (
    <div className={styles.toolbar}>
      <h2 className={styles.title}>{titleOfView(view, date)}</h2>
      <nav className={styles.steps} aria-label="翻页">
        <Button component="a" variant="default" rel="prev" href={href({ date: step(date, -1) })}>
          上一{unit}
        </Button>
        <Button component="a" variant="default" href={href({ date: today })}>
          今天
        </Button>
        <Button component="a" variant="default" rel="next" href={href({ date: step(date, 1) })}>
          下一{unit}
        </Button>
      </nav>
      <SwitchLinks
        label="视图"
        className={styles.views}
        links={calendarViews.map((name) => ({
          label: `${viewNames[name]}视图`,
          href: href({ view: name }),
          current: name === view,
        }))}
      />
    </div>
  );
}

function titleOfView(view: CalendarPlace['view'], date: string): string {
  if (view === 'month') return monthName(date);
  if (view === 'day') return `${date.slice(0, 4)}年${dayName(date)} 星期${weekdayNames[weekday(date)]}`;
  const [first = date, , , , , , last = date] = weekOf(date);
  return `${first.slice(0, 4)}年${dayName(first)} 至 ${dayName(last)}`;
}

interface DayCoursesProps {
  date: string;
  today: string;
  now: number;
  timezone: string;
  courses: CalendarCourse[];
  card: (course: CalendarCourse) => React.ReactNode;
}

/** Cards of one day. Today has a line between started and upcoming entries. */
function DayCourses({ date, today, now, timezone, courses, card }: DayCoursesProps) {
  const begun = courses.filter(({ start_play }) => start_play <= now).length;
  const withLine = date === today && courses.length > 0;
  return (
    <section className={styles.day} aria-label={`${dayName(date)}的课程`}>
      <h3 className={styles.dayTitle}>
        {dayName(date)} 星期{weekdayNames[weekday(date)]}
        {date === today && <span className={styles.today}>今天</span>}
        <span className={styles.count}>共{courses.length}节</span>
      </h3>
      {courses.length === 0 && <Empty>当天没有课程</Empty>}
      {courses.slice(0, begun).map(card)}
      {withLine && <p className={styles.nowLine}>现在 {formatTime(now, timezone).slice(11)}</p>}
      {courses.slice(begun).map(card)}
    </section>
  );
}
