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

/** `2026-11-21 08:30`; a dash for no time (0). */
export function formatTime(seconds: number, zone: string): string {
  return seconds > 0 ? formatter(zone).format(seconds * 1000) : '-';
}

/** `2026-11-21T08:30`, the value of a datetime-local field. */
export function localValue(seconds: number, zone: string): string {
  return formatter(zone)
    .format(seconds * 1000)
    .replace(' ', 'T');
}

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** `2026-11-21 周六`. */
export function formatDay(seconds: number, zone: string): string {
  const day = formatTime(seconds, zone).slice(0, 10);
  return `${day} ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}`;
}
