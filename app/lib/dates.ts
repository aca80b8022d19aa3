/** Formats times for the school. Times are unix seconds. A zone is an IANA name. */

/** The caches of one time zone. */
interface Zone {
  formatter: Intl.DateTimeFormat;
  /** UTC offsets in seconds, by the start of each quarter hour: zones change their clocks only then. */
  offsets: Map<number, number>;
  /** Formatted times by minute, because the rows of a list repeat them on every page view. */
  minutes: Map<number, string>;
  /** Relative times, valid for one day. */
  near: { day: number; minutes: Map<number, string> };
}

const zones = new Map<string, Zone>();
const quarter = 900;
/** Maximum entries per cache, more than any page needs. */
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

function cacheValue<Value>(kept: Map<number, Value>, key: number, value: Value): Value {
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, value);
  return value;
}

/** UTC offset of a zone at a time, in seconds. Positive to the east of Greenwich. */
export function offsetAt(seconds: number, zone: string): number {
  const { formatter, offsets } = zoneOf(zone);
  const start = seconds - (seconds % quarter);
  return (
    offsets.get(start) ?? cacheValue(offsets, start, Date.parse(`${formatter.format(start * 1000)}Z`) / 1000 - start)
  );
}

/** Formats a time as the value of a datetime-local field: `2026-11-21T08:30`. */
export function localValue(seconds: number, zone: string): string {
  const { minutes } = zoneOf(zone);
  const minute = seconds - (seconds % 60);
  const known = minutes.get(minute);
  if (known !== undefined) return known;
  return cacheValue(minutes, minute, new Date((minute + offsetAt(minute, zone)) * 1000).toISOString().slice(0, 16));
}

/** Formats a time: `2026-11-21 08:30`. A dash for 0, which means no time. */
export function formatTime(seconds: number, zone: string): string {
  return seconds > 0 ? localValue(seconds, zone).replace('T', ' ') : '-';
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** Adds the weekday to a formatted day: `2026-11-21 周六`. */
export const withWeekday = (day: string): string => `${day} ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}`;

export const formatDay = (seconds: number, zone: string): string => withWeekday(formatTime(seconds, zone).slice(0, 10));

/** Formats the value of a datetime-local field as `11-30 周一 22:00`. Undefined if invalid. */
export function formatLocalDay(value: string): string | undefined {
  const [, day = '', time] = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d)/.exec(value) ?? [];
  const weekday = weekdays[new Date(`${value.slice(0, 10)}T00:00:00Z`).getUTCDay()];
  return time === undefined || weekday === undefined ? undefined : `${day} ${weekday} ${time}`;
}

const dayLength = 24 * 60 * 60;

/** Number of days between the dates of two times in the zone. */
const daysApart = (seconds: number, now: number, zone: string): number =>
  dayNumber(seconds, zone) - dayNumber(now, zone);
const dayNumber = (seconds: number, zone: string) => Math.floor((seconds + offsetAt(seconds, zone)) / dayLength);

const nearDays: Record<number, string> = { [-1]: '昨天', 0: '今天', 1: '明天', 2: '后天' };

/** Formats a day relative to today: `今天`, `昨天`, within the year `11-30 周一`, otherwise in full. */
export function formatNearDay(seconds: number, now: number, zone: string): string {
  const day = formatDay(seconds, zone);
  const near = nearDays[daysApart(seconds, now, zone)];
  return near ?? (day.slice(0, 4) === localDay(now, zone).slice(0, 4) ? day.slice(5) : day);
}

/**
 * Formats a time relative to today: `今天 22:00`, `昨天 08:30`, within the next six days `周三 08:30`, within the year `11-30
 * 08:30`, otherwise in full. Past days get no weekday, because it would be taken for the coming one.
 */
export function formatNearTime(seconds: number, now: number, zone: string): string {
  const { near } = zoneOf(zone);
  const today = dayNumber(now, zone);
  if (near.day !== today) {
    near.day = today;
    near.minutes.clear();
  }
  const minute = seconds - (seconds % 60);
  return near.minutes.get(minute) ?? cacheValue(near.minutes, minute, formatNear(minute, now, zone));
}

function formatNear(seconds: number, now: number, zone: string): string {
  const [day = '', time = ''] = localValue(seconds, zone).split('T');
  const days = daysApart(seconds, now, zone);
  const near = nearDays[days];
  if (near) return `${near} ${time}`;
  if (days > 0 && days < 7) return `${formatDay(seconds, zone).slice(11)} ${time}`;
  return day.slice(0, 4) === localDay(now, zone).slice(0, 4) ? `${day.slice(5)} ${time}` : `${day} ${time}`;
}

/** Formats a time as the value of a date field: `2026-11-21`. */
export const localDay = (seconds: number, zone: string): string => localValue(seconds, zone).slice(0, 10);

/** Returns Monday and Sunday of the current week. */
export function weekOf(now: number, zone: string): { from: string; to: string } {
  const today = localDay(now, zone);
  const noon = Date.parse(`${today}T12:00:00Z`) / 1000;
  const dayAt = (offset: number) => localValue(noon + offset * dayLength, 'UTC').slice(0, 10);
  const sinceMonday = (new Date(noon * 1000).getUTCDay() + 6) % 7;
  return { from: dayAt(-sinceMonday), to: dayAt(6 - sinceMonday) };
}

/** Formats the time left: `还剩20分钟`, `还剩3小时`, `还剩2天`. Undefined if it is over. */
export function formatTimeLeft(seconds: number, now: number): string | undefined {
  const left = seconds - now;
  if (left <= 0) return undefined;
  if (left < 60 * 60) return `还剩${Math.ceil(left / 60)}分钟`;
  return left < 2 * dayLength ? `还剩${Math.floor(left / 3600)}小时` : `还剩${Math.floor(left / dayLength)}天`;
}
