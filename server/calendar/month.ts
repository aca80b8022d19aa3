/** Months and days of the calendar in the school's zone: a day may have 23 or 25 hours. */
import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { Database } from '#server/platform/db/engine.ts';
import { dayEnd, dayOf, dayStart } from '#server/school/calendar.ts';
import type { DayCount } from './contract.ts';
import { type CalendarOf, startsBetween } from './entries.ts';

dayjs.extend(utc);

/** Days that one call answers at most: the six weeks of a month's grid. */
const maxDays = 42;

/** Months that one call answers at most: those that a month's grid touches. */
const maxMonths = 3;

const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** The days (yyyy-mm-dd) of the month that `day` is in, and of those up to the one that `last` is in. */
export function daysOfMonths(day: string, last = day): string[] {
  const month = monthNumber(day);
  const months = Math.min(Math.max(monthNumber(last) - month + 1, 1), maxMonths);
  const start = Date.UTC(0, month);
  const length = (Date.UTC(0, month + months) - start) / millisecondsOfDay;
  return Array.from({ length }, (_, number) => new Date(start + number * millisecondsOfDay).toISOString().slice(0, 10));
}

/** Months since January of 1900, which is what `Date.UTC` takes 0 for. */
const monthNumber = (day: string): number => (Number(day.slice(0, 4)) - 1900) * 12 + Number(day.slice(5, 7)) - 1;

/**
 * How many courses each day of the month has, or of the months up to that of `last`; days without any are left out.
 * `date` and `last` are any days of them.
 */
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

/** [from, until) in unix seconds of the days from `date` (today) to `last` (inclusive; the one day). */
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
