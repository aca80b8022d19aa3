/** Months and days of the calendar in the school's zone: a day may have 23 or 25 hours. */
import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { Database } from '#server/platform/db/engine.ts';
import { dayEnd, dayOf, dayStart } from '#server/school/calendar.ts';
import type { DayCount } from './contract.ts';
import { type CalendarOf, startsBetween } from './entries.ts';

dayjs.extend(utc);

/** Days that one call answers at most: the six weeks of a month's grid. */
const mostDays = 42;

/** The days (yyyy-mm-dd) of the month that `day` is in. */
export function daysOfMonth(day: string): string[] {
  const month = day.slice(0, 7);
  const length = dayjs.utc(`${month}-01`).daysInMonth();
  return Array.from({ length }, (_, number) => `${month}-${String(number + 1).padStart(2, '0')}`);
}

/** How many courses each day of the month has; days without any are left out. `date` is any day of it. */
export async function monthCounts(
  db: Database,
  of: CalendarOf,
  { date, now, timezone }: { date: string | undefined; now: number; timezone: string },
): Promise<DayCount[]> {
  const days = daysOfMonth(date ?? dayOf(now, timezone));
  const bounds = days.map((day) => dayStart(day, timezone));
  const until = dayEnd(days.at(-1) as string, timezone);
  const starts = await startsBetween(db, of, { from: bounds[0] as number, until });
  const counts = new Map<string, number>();
  for (const start of starts) {
    const day = days[bounds.findLastIndex((bound) => bound <= start)] as string;
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return days.flatMap((day) => {
    const count = counts.get(day);
    return count === undefined ? [] : [{ date: day, count }];
  });
}

/** [from, until) in unix seconds of the days from `date` (today) to `last` (inclusive; the one day). */
export function daySpan(
  { date, last }: { date: string | undefined; last: string | undefined },
  { now, timezone }: { now: number; timezone: string },
): { from: number; until: number } {
  const first = date ?? dayOf(now, timezone);
  const limit = dayjs
    .utc(first)
    .add(mostDays - 1, 'day')
    .format('YYYY-MM-DD');
  const end = last === undefined || last < first ? first : last > limit ? limit : last;
  return { from: dayStart(first, timezone), until: dayEnd(end, timezone) };
}
