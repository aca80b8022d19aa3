/** Suggested deadlines: 22:00 on one of the next days, in the school's time zone. */
import { formatDay, localValue } from '../../lib/dates.ts';

export interface DeadlinePreset {
  label: string;
  value: string;
}

const evening = '22:00';
const dayLength = 24 * 60 * 60;

/** Returns 22:00 on the day that is `days` days after `now` (unix seconds). */
const eveningIn = (days: number, now: number, timezone: string) =>
  `${localValue(now + days * dayLength, timezone).slice(0, 10)}T${evening}`;

export const tomorrowEvening = (now: number, timezone: string): string => eveningIn(1, now, timezone);

/** Lists the suggested deadlines. `now` is in unix seconds. Leaves out Sunday if that is today or tomorrow. */
export function deadlinePresets(now: number, timezone: string): DeadlinePreset[] {
  const [, time = ''] = localValue(now, timezone).split('T');
  const sunday = [2, 3, 4, 5, 6].find((days) => formatDay(now + days * dayLength, timezone).endsWith('周日'));
  return [
    ...(time < evening ? [{ label: `今晚 ${evening}`, value: eveningIn(0, now, timezone) }] : []),
    { label: `明晚 ${evening}`, value: tomorrowEvening(now, timezone) },
    ...(sunday === undefined ? [] : [{ label: `周日 ${evening}`, value: eveningIn(sunday, now, timezone) }]),
  ];
}
