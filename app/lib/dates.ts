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
