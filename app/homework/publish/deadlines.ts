/** Deadlines that are chosen by one press: evenings of the school's clock. */
import { formatDay, localValue } from '../../lib/dates.ts';

export interface DeadlinePreset {
  label: string;
  /** As the field says it. */
  value: string;
}

const evening = '22:00';
const dayLength = 24 * 60 * 60;

/** `now` in unix seconds. The coming Sunday is left out where it is today or tomorrow. */
export function deadlinePresets(now: number, timezone: string): DeadlinePreset[] {
  const [, time = ''] = localValue(now, timezone).split('T');
  const on = (days: number) => now + days * dayLength;
  const eveningIn = (days: number) => `${localValue(on(days), timezone).slice(0, 10)}T${evening}`;
  const sunday = [2, 3, 4, 5, 6].find((days) => formatDay(on(days), timezone).endsWith('周日'));
  return [
    ...(time < evening ? [{ label: `今晚 ${evening}`, value: eveningIn(0) }] : []),
    { label: `明晚 ${evening}`, value: eveningIn(1) },
    ...(sunday === undefined ? [] : [{ label: `周日 ${evening}`, value: eveningIn(sunday) }]),
  ];
}
