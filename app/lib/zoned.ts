/** Reads what was typed into a date field as a moment of the school's zone. */
import { localValue, offsetAt } from './dates.ts';

const secondsOf = (iso: string) => Date.parse(`${iso}Z`) / 1000;
const day = 86_400;

/** Unix seconds of `yyyy-mm-ddThh:mm` in `zone`, or undefined for anything else. */
export function readLocalTime(text: string, zone: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined;
  const local = secondsOf(text.replace(' ', 'T'));
  if (!Number.isFinite(local)) return undefined;
  // The offset at that moment, of which only its local time is known: near a change of the clock the first is off.
  return local - offsetAt(local - offsetAt(local, zone), zone);
}

/** The first minute of the day before as the value of a datetime-local field. */
export const yesterdayValue = (now: number, zone: string): string =>
  `${localValue(secondsOf(`${localValue(now, zone).slice(0, 10)}T00:00`) - day, 'UTC').slice(0, 10)}T00:00`;

/**
 * A moment of an address: unix seconds, or what was typed into a date field. A field names a minute; as the end of a
 * range it includes that minute (`end`).
 */
export function readMoment(text: string | null | undefined, zone: string, end = false): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,11}$/.test(text)) return Number(text);
  const seconds = readLocalTime(text, zone);
  return seconds === undefined || !end || /:\d{2}:\d{2}$/.test(text) ? seconds : seconds + 59;
}

/** A moment of an address as the value of a datetime-local field. */
export function momentValue(text: string | undefined, zone: string): string | undefined {
  const seconds = readMoment(text, zone);
  return seconds === undefined ? undefined : localValue(seconds, zone);
}
