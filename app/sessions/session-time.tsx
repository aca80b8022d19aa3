import { nearDay } from '../lib/dates.ts';
import { useNow, useTimezone } from '../ui/use-school.ts';
import { type SessionTimes, sessionTime } from './terms.ts';

/** When a lesson is: its day as one says it today, with the whole of it where the pointer rests. */
export function SessionTime({ session }: { session: SessionTimes }) {
  const timezone = useTimezone();
  const { arrange_time, time_name } = session;
  return (
    <time dateTime={new Date(arrange_time * 1000).toISOString()} title={sessionTime(session, timezone)}>
      {nearDay(arrange_time, useNow(), timezone)} {time_name}
    </time>
  );
}
