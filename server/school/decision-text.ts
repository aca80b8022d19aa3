import { dayOf, timeOf } from './calendar.ts';

/** Says who decided something and when: `王老师于10:25` or, on another day, `王老师于11-20 10:25`. */
export function decisionText(
  { by, at }: { by: string | null; at: number | null },
  { now, timezone }: { now: number; timezone: string },
): string {
  if (at === null) return by ?? '他人';
  const day = dayOf(at, timezone);
  const moment = day === dayOf(now, timezone) ? timeOf(at, timezone) : `${day.slice(5)} ${timeOf(at, timezone)}`;
  return `${by ?? '他人'}于${moment}`;
}
