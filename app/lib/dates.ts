/** Moments as the school reads them. Times are unix seconds; a zone is an IANA name. */

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string): Intl.DateTimeFormat {
  let known = formatters.get(zone);
  if (!known) {
    known = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    formatters.set(zone, known);
  }
  return known;
}

/** Seconds that a zone's clock is ahead of UTC, by the quarter of an hour: no zone changes its clock at another time. */
const offsets = new Map<string, number>();
const quarter = 900;
/** More than a page ever names, and little memory. */
const mostOffsets = 10_000;

export function offsetAt(seconds: number, zone: string): number {
  const start = seconds - (seconds % quarter);
  const key = `${zone} ${start}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = Date.parse(`${formatter(zone).format(start * 1000)}Z`) / 1000 - start;
    if (offsets.size >= mostOffsets) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/** `2026-11-21T08:30`, the value of a datetime-local field. */
export function localValue(seconds: number, zone: string): string {
  return new Date((seconds + offsetAt(seconds, zone)) * 1000).toISOString().slice(0, 16);
}

/** `2026-11-21 08:30`; a dash for no time (0). */
export function formatTime(seconds: number, zone: string): string {
  return seconds > 0 ? localValue(seconds, zone).replace('T', ' ') : '-';
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** `2026-11-21 周六`. */
export function formatDay(seconds: number, zone: string): string {
  const day = formatTime(seconds, zone).slice(0, 10);
  return `${day} ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}`;
}

/** `11-30 周一 22:00` of a moment as a field says it (`yyyy-mm-ddThh:mm`), or undefined where it says none. */
export function formatLocalDay(value: string): string | undefined {
  const [, day = '', time] = /^\d{4}-(\d\d-\d\d)T(\d\d:\d\d)/.exec(value) ?? [];
  const weekday = weekdays[new Date(`${value.slice(0, 10)}T00:00:00Z`).getUTCDay()];
  return time === undefined || weekday === undefined ? undefined : `${day} ${weekday} ${time}`;
}

const dayLength = 24 * 60 * 60;

/**
 * A moment as one says it today: `今天 22:00`, `昨天 08:30`, `周三 08:30` within the week, `11-30 08:30` within the year,
 * else the whole of it.
 */
export function nearTime(seconds: number, now: number, zone: string): string {
  const at = localValue(seconds, zone);
  const [day = '', time = ''] = at.split('T');
  const today = localValue(now, zone).slice(0, 10);
  const apart = (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / 1000 / dayLength;
  const near = { [-1]: '昨天', 0: '今天', 1: '明天', 2: '后天' }[apart];
  if (near) return `${near} ${time}`;
  if (Math.abs(apart) < 7) return `${formatDay(seconds, zone).slice(11)} ${time}`;
  return day.slice(0, 4) === today.slice(0, 4) ? `${day.slice(5)} ${time}` : `${day} ${time}`;
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
