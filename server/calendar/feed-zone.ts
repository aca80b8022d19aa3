/** Writes a VTIMEZONE (RFC 5545, 3.6.5) from Node's zone data, which also decide the times of lessons. */

/** A clock change of a zone: its time in unix seconds, and the UTC offset in seconds before and after it. */
interface ClockChange {
  at: number;
  before: number;
  after: number;
}

const week = 7 * 24 * 60 * 60;

/**
 * Finds the clock changes of a zone week by week: a zone changes its clocks twice a year, so a week has at most one
 * change.
 */
function changesOf(zone: string, from: number, until: number): ClockChange[] {
  const offsetAt = offsetsOf(zone);
  const changes: ClockChange[] = [];
  for (let start = from; start < until; start += week) {
    let [low, high] = [start, Math.min(start + week, until)];
    const [before, after] = [offsetAt(low), offsetAt(high)];
    if (before === after) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after });
  }
  return changes;
}

/** Returns a function that converts unix seconds to the UTC offset in seconds. */
function offsetsOf(zone: string): (seconds: number) => number {
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (seconds) => Date.parse(`${formatter.format(seconds * 1000)}Z`) / 1000 - seconds;
}

/** Formats local time as `20261101T020000`; `offset` in seconds. */
const localTime = (seconds: number, offset: number): string =>
  new Date((seconds + offset) * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** Formats an offset in seconds as `+0530`. */
function offsetText(offset: number): string {
  const part = (value: number) => String(value).padStart(2, '0');
  const ahead = Math.abs(offset);
  const seconds = ahead % 60;
  const text = `${part(Math.floor(ahead / 3600))}${part(Math.floor(ahead / 60) % 60)}${seconds > 0 ? part(seconds) : ''}`;
  return `${offset < 0 ? '-' : '+'}${text}`;
}

const observance = ({ at, before, after }: ClockChange): string[] => {
  const name = after > before ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${name}`,
    `DTSTART:${localTime(at, before)}`,
    `TZOFFSETFROM:${offsetText(before)}`,
    `TZOFFSETTO:${offsetText(after)}`,
    `END:${name}`,
  ];
};

/** Defines a zone from `from` until before `until` (unix seconds). */
export function zoneDefinition(zone: string, { from, until }: { from: number; until: number }): string {
  const first = offsetsOf(zone)(from);
  const lines = [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance({ at: from, before: first, after: first }),
    ...changesOf(zone, from, until).flatMap(observance),
    'END:VTIMEZONE',
  ];
  return lines.join('\r\n');
}
