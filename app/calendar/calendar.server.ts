/** Loads the calendar of the signed-in user or of a class. */
import {
  calendarFeed,
  type calendarViews,
  classDayCourses,
  classMonthCourses,
  dayCourses,
  monthCourses,
} from '#server/calendar/contract.ts';
import { clampDay, earliestDay, latestDay } from '#server/platform/calls/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import { formatTime } from '../lib/dates.ts';
import { weekOf, weeksOfMonth } from './days.ts';

type CalendarViewName = (typeof calendarViews)[number];

interface CalendarRequest {
  client: ApiClient;
  /** View and day from the address. Default: the month of today; on a phone the day comes before the month. */
  filter: { view?: CalendarViewName | undefined; date?: string | undefined };
  timezone: string;
  /** Class of the calendar. Undefined for the user's own calendar. */
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

/** Range from the first to the last of these days, within the limits of the call. */
const span = (days: readonly string[]) => ({
  date: clampDay(days[0] ?? earliestDay),
  until: clampDay(days.at(-1) ?? latestDay),
});

/** Number of entries per day of the month's grid, including days of adjacent months. */
function countsOf(client: ApiClient, day: string, classId: number | undefined) {
  const query = span(weeksOfMonth(day).flat());
  return classId === undefined
    ? client.send(monthCourses, { query })
    : client.send(classMonthCourses, { params: { classId }, query });
}
