/** Calendar days in the school's time zone as unix seconds, whatever the server's own zone is. */
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(timezone);

/** Now, in unix seconds. */
export const wallClock = (): number => Math.floor(Date.now() / 1000);

const starts = new Map<string, number>();
/** Maximum cached days. */
const maxStarts = 10_000;

/** First unix second of `day` (yyyy-mm-dd) in `zone`. Cached: a calendar page asks for about ninety days. */
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

/** Unix seconds of a time of day (hh:mm) on a day in `zone`. */
export const momentOf = (day: string, time: string, zone: string): number => dayjs.tz(`${day}T${time}:00`, zone).unix();

/** The day (yyyy-mm-dd) of a moment in `zone`. */
export const dayOf = (seconds: number, zone: string): string => minuteOf(seconds, zone).slice(0, 10);

/** The time of day (hh:mm) of a moment in `zone`. */
export const timeOf = (seconds: number, zone: string): string => minuteOf(seconds, zone).slice(-5);

/** `2026-11-21 08:30`. Uses a cached formatter; dayjs would take a hundred times as long, for every row of a list. */
function minuteOf(seconds: number, zone: string): string {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    formatters.set(zone, formatter);
  }
  return formatter.format(seconds * 1000);
}
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Start of yesterday, the earliest allowed deadline. */
export const yesterdayStart = (now: number, zone: string): number =>
  dayStart(dayjs.utc(dayOf(now, zone)).subtract(1, 'day').format('YYYY-MM-DD'), zone);

/** A range of days as [from, until) in unix seconds; reversed days are swapped. */
export function dayRange(
  from: string | undefined,
  to: string | undefined,
  zone: string,
): { from?: number; until?: number } {
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  return { ...(first ? { from: dayStart(first, zone) } : {}), ...(last ? { until: dayEnd(last, zone) } : {}) };
}
