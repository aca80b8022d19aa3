/** What a calendar shows: of the signed-in person, or of a class. */
import {
  calendarFeed,
  type calendarViews,
  classDayCourses,
  classMonthCourses,
  dayCourses,
  monthCourses,
} from '#server/calendar/contract.ts';
import { boundedDay, earliestDay, latestDay } from '#server/platform/calls/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import { formatTime } from '../lib/dates.ts';
import { weekOf, weeksOfMonth } from './days.ts';

type CalendarViewName = (typeof calendarViews)[number];

interface CalendarRequest {
  client: ApiClient;
  /** As the address has it: today where it says nothing, by month, and on a phone the day before it. */
  filter: { view?: CalendarViewName | undefined; date?: string | undefined };
  timezone: string;
  /** Without one, the person's own calendar. */
  classId?: number;
}

export type CalendarData = Awaited<ReturnType<typeof loadCalendar>>;

export async function loadCalendar({ client, filter, timezone, classId }: CalendarRequest) {
  const now = client.now();
  const view = filter.view ?? 'month';
  const today = formatTime(now, timezone).slice(0, 10);
  const date = filter.date ?? today;
  const week = weekOf(date);
  const days = view === 'week' ? span(week) : { date };
  const [counts, courses, feed] = await Promise.all([
    view === 'month' ? countsOf(client, date, classId) : [],
    classId === undefined
      ? client.send(dayCourses, { query: days })
      : client.send(classDayCourses, { params: { classId }, query: days }),
    client.send(calendarFeed, { query: { class_id: classId } }),
  ]);
  return {
    view,
    isChosen: filter.view !== undefined,
    date,
    today,
    timezone,
    now,
    counts,
    courses,
    hasFeed: feed.created_at !== null,
  };
}

/** From the first to the last of some days, as far as a call takes them. */
const span = (days: readonly string[]) => ({
  date: boundedDay(days[0] ?? earliestDay),
  until: boundedDay(days.at(-1) ?? latestDay),
});

/** Of every day that the month's grid shows, those of the months beside it included. */
function countsOf(client: ApiClient, day: string, classId: number | undefined) {
  const query = span(weeksOfMonth(day).flat());
  return classId === undefined
    ? client.send(monthCourses, { query })
    : client.send(classMonthCourses, { params: { classId }, query });
}
