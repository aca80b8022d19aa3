/** Months and days of the calendar in the school's time zone. A day may have 23 or 25 hours. */

import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { Database } from '#server/platform/db/engine.ts';
import { dayEnd, dayOf, dayStart } from '#server/school/calendar.ts';
import type { DayCount } from './contract.ts';
import { startsBetween } from './entries.ts';
import type { CalendarOf } from './entry-query.ts';

dayjs.extend(utc);

/** Maximum days per call: the calendar of a month shows six weeks. */
const maxDays = 42;

/** Maximum months per call: the calendar of a month shows days of three months. */
const maxMonths = 3;

const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** Lists all days (yyyy-mm-dd) of the months from `day` to `last`. */
export function daysOfMonths(day: string, last = day): string[] {
  const month = monthNumber(day);
  const months = Math.min(Math.max(monthNumber(last) - month + 1, 1), maxMonths);
  const start = Date.UTC(0, month);
  const length = (Date.UTC(0, month + months) - start) / millisecondsOfDay;
  return Array.from({ length }, (_, number) => new Date(start + number * millisecondsOfDay).toISOString().slice(0, 10));
}

/** Number of months since January 1900, which `Date.UTC` takes as year 0. */
const monthNumber = (day: string): number => (Number(day.slice(0, 4)) - 1900) * 12 + Number(day.slice(5, 7)) - 1;

/** Counts the entries of each day in the months from `date` to `last`. Days without entries are left out. */
export async function monthCounts(
  db: Database,
  of: CalendarOf,
  { date, last, now, timezone }: { date: string | undefined; last: string | undefined; now: number; timezone: string },
): Promise<DayCount[]> {
  const days = daysOfMonths(date ?? dayOf(now, timezone), last);
  const from = dayStart(days[0] as string, timezone);
  const starts = await startsBetween(db, of, { from, until: dayEnd(days.at(-1) as string, timezone) });
  starts.sort((one, other) => one - other);
  const counts: DayCount[] = [];
  let counted = 0;
  for (const [index, day] of days.entries()) {
    const next = days[index + 1];
    const until = next === undefined ? Number.POSITIVE_INFINITY : dayStart(next, timezone);
    const before = counted;
    while (counted < starts.length && (starts[counted] as number) < until) counted += 1;
    if (counted > before) counts.push({ date: day, count: counted - before });
  }
  return counts;
}

/**
 * Returns the time range of days in unix seconds; `until` is excluded. `date` defaults to today. `last` is the last day
 * and defaults to `date`.
 */
export function daySpan(
  { date, last }: { date: string | undefined; last: string | undefined },
  { now, timezone }: { now: number; timezone: string },
): { from: number; until: number } {
  const first = date ?? dayOf(now, timezone);
  const limit = dayjs
    .utc(first)
    .add(maxDays - 1, 'day')
    .format('YYYY-MM-DD');
  const end = last === undefined || last < first ? first : last > limit ? limit : last;
  return { from: dayStart(first, timezone), until: dayEnd(end, timezone) };
}
