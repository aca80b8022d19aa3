/** Converts values of date fields to unix seconds in the school's time zone. */
import { isDay, latestSecond } from '#server/platform/calls/rules.ts';
import { localValue, offsetAt } from './dates.ts';

const secondsOf = (iso: string) => Date.parse(`${iso}Z`) / 1000;
const dayLength = 86_400;

/** Parses `yyyy-mm-ddThh:mm` in `zone` to unix seconds. Undefined if invalid or out of range. */
export function readLocalTime(text: string, zone: string): number | undefined {
  const [, day = '', time] = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/.exec(text) ?? [];
  if (time === undefined || !isDay(day)) return undefined;
  const local = secondsOf(`${day}T${time}`);
  // Two steps: the offset depends on the time, but only the local time is known yet. The first guess is wrong near a
  // clock change.
  return local - offsetAt(local - offsetAt(local, zone), zone);
}

/** Returns yesterday 00:00 as the value of a datetime-local field. */
export const yesterdayValue = (now: number, zone: string): string =>
  `${localValue(secondsOf(`${localValue(now, zone).slice(0, 10)}T00:00`) - dayLength, 'UTC').slice(0, 10)}T00:00`;

/**
 * Parses a time from an address: unix seconds, or the value of a date field. A minute at the end of a range (`end`)
 * means its last second.
 */
export function readMoment(text: string | null | undefined, zone: string, end = false): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,11}$/.test(text)) return Number(text) <= latestSecond ? Number(text) : undefined;
  const seconds = readLocalTime(text, zone);
  return seconds === undefined || !end || /:\d{2}:\d{2}$/.test(text) ? seconds : seconds + 59;
}

/** Converts a time from an address to the value of a datetime-local field. */
export function momentValue(text: string | undefined, zone: string): string | undefined {
  const seconds = readMoment(text, zone);
  return seconds === undefined ? undefined : localValue(seconds, zone);
}
