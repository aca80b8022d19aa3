/** Moments as the school reads them. Times are unix seconds; a zone is an IANA name. */

/** What is known of a zone's clock. */
interface Zone {
  formatter: Intl.DateTimeFormat;
  /** Seconds ahead of UTC, by the start of the quarter of an hour: no zone changes its clock at another time. */
  offsets: Map<number, number>;
  /** Minutes in words: those of a list's rows are the same for each of its pages. */
  minutes: Map<number, string>;
  /** The same as one says them on this day. */
  near: { day: number; minutes: Map<number, string> };
}

const zones = new Map<string, Zone>();
const quarter = 900;
/** Of each kind: more than a page ever names, and little memory. */
const maxKept = 10_000;

function zoneOf(zone: string): Zone {
  let known = zones.get(zone);
  if (!known) {
    const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    known = { formatter, offsets: new Map(), minutes: new Map(), near: { day: 0, minutes: new Map() } };
    zones.set(zone, known);
  }
  return known;
}

function keep<Value>(kept: Map<number, Value>, key: number, value: Value): Value {
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, value);
  return value;
}

/** Seconds by which the clocks of a zone are ahead of UTC at a moment (unix seconds). */
export function offsetAt(seconds: number, zone: string): number {
  const { formatter, offsets } = zoneOf(zone);
  const start = seconds - (seconds % quarter);
  return offsets.get(start) ?? keep(offsets, start, Date.parse(`${formatter.format(start * 1000)}Z`) / 1000 - start);
}

/** `2026-11-21T08:30`, the value of a datetime-local field. */
export function localValue(seconds: number, zone: string): string {
  const { minutes } = zoneOf(zone);
  const minute = seconds - (seconds % 60);
  const known = minutes.get(minute);
  if (known !== undefined) return known;
  return keep(minutes, minute, new Date((minute + offsetAt(minute, zone)) * 1000).toISOString().slice(0, 16));
}

/** `2026-11-21 08:30`; a dash for no time (0). */
export function formatTime(seconds: number, zone: string): string {
  return seconds > 0 ? localValue(seconds, zone).replace('T', ' ') : '-';
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** `2026-11-21 周六`, of a day that is written so far. */
export const withWeekday = (day: string): string => `${day} ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}`;

/** `2026-11-21 周六`. */
export const formatDay = (seconds: number, zone: string): string => withWeekday(formatTime(seconds, zone).slice(0, 10));

/** `11-30 周一 22:00` of a moment as a field says it (`yyyy-mm-ddThh:mm`), or undefined where it says none. */
export function formatLocalDay(value: string): string | undefined {
  const [, day = '', time] = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d)/.exec(value) ?? [];
  const weekday = weekdays[new Date(`${value.slice(0, 10)}T00:00:00Z`).getUTCDay()];
  return time === undefined || weekday === undefined ? undefined : `${day} ${weekday} ${time}`;
}

const dayLength = 24 * 60 * 60;

/** Days from one moment's day to another's, by the zone's clock. */
const daysApart = (seconds: number, now: number, zone: string): number =>
  dayNumber(seconds, zone) - dayNumber(now, zone);
const dayNumber = (seconds: number, zone: string) => Math.floor((seconds + offsetAt(seconds, zone)) / dayLength);

const nearDays: Record<number, string> = { [-1]: '昨天', 0: '今天', 1: '明天', 2: '后天' };

/** A day as one says it today: `今天`, `昨天`, `11-30 周一` within the year, else the whole of it. */
export function nearDay(seconds: number, now: number, zone: string): string {
  const day = formatDay(seconds, zone);
  const near = nearDays[daysApart(seconds, now, zone)];
  return near ?? (day.slice(0, 4) === dayOf(now, zone).slice(0, 4) ? day.slice(5) : day);
}

/**
 * A moment as one says it today: `今天 22:00`, `昨天 08:30`, `周三 08:30` within the six days to come, `11-30 08:30`
 * within the year, else the whole of it. A past weekday would be taken for the coming one.
 */
export function nearTime(seconds: number, now: number, zone: string): string {
  const { near } = zoneOf(zone);
  const today = dayNumber(now, zone);
  if (near.day !== today) {
    near.day = today;
    near.minutes.clear();
  }
  const minute = seconds - (seconds % 60);
  return near.minutes.get(minute) ?? keep(near.minutes, minute, inWords(minute, now, zone));
}

function inWords(seconds: number, now: number, zone: string): string {
  const [day = '', time = ''] = localValue(seconds, zone).split('T');
  const apart = daysApart(seconds, now, zone);
  const near = nearDays[apart];
  if (near) return `${near} ${time}`;
  if (apart > 0 && apart < 7) return `${formatDay(seconds, zone).slice(11)} ${time}`;
  return day.slice(0, 4) === dayOf(now, zone).slice(0, 4) ? `${day.slice(5)} ${time}` : `${day} ${time}`;
}

/** `2026-11-21`, the value of a date field. */
export const dayOf = (seconds: number, zone: string): string => localValue(seconds, zone).slice(0, 10);

/** The days of a week from Monday to Sunday, both inclusive. */
export function weekOf(now: number, zone: string): { from: string; to: string } {
  const today = dayOf(now, zone);
  const noon = Date.parse(`${today}T12:00:00Z`) / 1000;
  const dayAt = (offset: number) => localValue(noon + offset * dayLength, 'UTC').slice(0, 10);
  const sinceMonday = (new Date(noon * 1000).getUTCDay() + 6) % 7;
  return { from: dayAt(-sinceMonday), to: dayAt(6 - sinceMonday) };
}

/** How long it is until then: `还剩20分钟`, `还剩3小时`, `还剩2天`; undefined where it is over. */
export function timeLeft(seconds: number, now: number): string | undefined {
  const left = seconds - now;
  if (left <= 0) return undefined;
  if (left < 60 * 60) return `还剩${Math.ceil(left / 60)}分钟`;
  return left < 2 * dayLength ? `还剩${Math.floor(left / 3600)}小时` : `还剩${Math.floor(left / dayLength)}天`;
}
