/** Deadlines that are chosen by one press: evenings of the school's clock. */
import { formatDay, localValue } from '../../lib/dates.ts';

export interface DeadlinePreset {
  label: string;
  /** As the field says it. */
  value: string;
}

const evening = '22:00';
const dayLength = 24 * 60 * 60;

/** Of so many days after `now`, unix seconds. */
const eveningIn = (days: number, now: number, timezone: string) =>
  `${localValue(now + days * dayLength, timezone).slice(0, 10)}T${evening}`;

export const tomorrowEvening = (now: number, timezone: string): string => eveningIn(1, now, timezone);

/** `now` in unix seconds. The coming Sunday is left out where it is today or tomorrow. */
export function deadlinePresets(now: number, timezone: string): DeadlinePreset[] {
  const [, time = ''] = localValue(now, timezone).split('T');
  const sunday = [2, 3, 4, 5, 6].find((days) => formatDay(now + days * dayLength, timezone).endsWith('周日'));
  return [
    ...(time < evening ? [{ label: `今晚 ${evening}`, value: eveningIn(0, now, timezone) }] : []),
    { label: `明晚 ${evening}`, value: tomorrowEvening(now, timezone) },
    ...(sunday === undefined ? [] : [{ label: `周日 ${evening}`, value: eveningIn(sunday, now, timezone) }]),
  ];
}
