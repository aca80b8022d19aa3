/** Reads what was typed into a date field as a moment of the school's zone. */
import { isDay, latestSecond } from '#server/platform/calls/rules.ts';
import { localValue, offsetAt } from './dates.ts';

const secondsOf = (iso: string) => Date.parse(`${iso}Z`) / 1000;
const dayLength = 86_400;

/** Unix seconds of `yyyy-mm-ddThh:mm` in `zone`; undefined for anything else and for days out of bounds. */
export function readLocalTime(text: string, zone: string): number | undefined {
  const [, day = '', time] = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/.exec(text) ?? [];
  if (time === undefined || !isDay(day)) return undefined;
  const local = secondsOf(`${day}T${time}`);
  // The offset at that moment, of which only its local time is known: near a change of the clock the first is off.
  return local - offsetAt(local - offsetAt(local, zone), zone);
}

/** The first minute of the day before as the value of a datetime-local field. */
export const yesterdayValue = (now: number, zone: string): string =>
  `${localValue(secondsOf(`${localValue(now, zone).slice(0, 10)}T00:00`) - dayLength, 'UTC').slice(0, 10)}T00:00`;

/**
 * A moment of an address: unix seconds, or what was typed into a date field. A field names a minute; as the end of a
 * range it includes that minute (`end`).
 */
export function readMoment(text: string | null | undefined, zone: string, end = false): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,11}$/.test(text)) return Number(text) <= latestSecond ? Number(text) : undefined;
  const seconds = readLocalTime(text, zone);
  return seconds === undefined || !end || /:\d{2}:\d{2}$/.test(text) ? seconds : seconds + 59;
}

/** A moment of an address as the value of a datetime-local field. */
export function momentValue(text: string | undefined, zone: string): string | undefined {
  const seconds = readMoment(text, zone);
  return seconds === undefined ? undefined : localValue(seconds, zone);
}
