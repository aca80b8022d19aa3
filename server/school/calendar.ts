/**
 * Converts between calendar days in the school's time zone and unix seconds, whatever the server's own time zone is.
 */
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(timezone);

/** The current time in unix seconds. */
export const wallClock = (): number => Math.floor(Date.now() / 1000);

const starts = new Map<string, number>();
/** Maximum number of cached days. */
const maxStarts = 10_000;

/** First unix second of `day` (yyyy-mm-dd) in `zone`. Cached, because a calendar page needs about ninety days. */
export function dayStart(day: string, zone: string): number {
  const key = `${zone} ${day}`;
  let start = starts.get(key);
  if (start === undefined) {
    start = dayjs.tz(`${day}T00:00:00`, zone).unix();
    if (starts.size >= maxStarts) starts.clear();
    starts.set(key, start);
  }
  return start;
}

/** First unix second after `day`. */
export const dayEnd = (day: string, zone: string): number =>
  dayStart(dayjs.utc(day).add(1, 'day').format('YYYY-MM-DD'), zone);

/** Unix seconds of a time (hh:mm) on a day in `zone`. */
export const momentOf = (day: string, time: string, zone: string): number => dayjs.tz(`${day}T${time}:00`, zone).unix();

/** Day (yyyy-mm-dd) of a time in `zone`. */
export const dayOf = (seconds: number, zone: string): string => minuteOf(seconds, zone).slice(0, 10);

/** Time of day (hh:mm) of a time in `zone`. */
export const timeOf = (seconds: number, zone: string): string => minuteOf(seconds, zone).slice(-5);

/**
 * Formats a time as `2026-11-21 08:30`. Uses a cached formatter, because dayjs takes a hundred times as long, in every
 * row of a list.
 */
function minuteOf(seconds: number, zone: string): string {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    formatters.set(zone, formatter);
  }
  return formatter.format(seconds * 1000);
}
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Start of yesterday, which is the earliest deadline that a form accepts. */
export const yesterdayStart = (now: number, zone: string): number =>
  dayStart(dayjs.utc(dayOf(now, zone)).subtract(1, 'day').format('YYYY-MM-DD'), zone);

/** Converts two days to a range [from, until) in unix seconds; if they are reversed, they are swapped. */
export function dayRange(
  from: string | undefined,
  to: string | undefined,
  zone: string,
): { from?: number; until?: number } {
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  return { ...(first ? { from: dayStart(first, zone) } : {}), ...(last ? { until: dayEnd(last, zone) } : {}) };
}
