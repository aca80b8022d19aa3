import { formatNearDay } from '../lib/dates.ts';
import { useNow, useTimezone } from '../ui/use-school.ts';
import { type SessionTimes, sessionTime } from './terms.ts';

/** Time of a lesson relative to today. The tooltip has the full date. */
export function SessionTime({ session }: { session: SessionTimes }) {
  const timezone = useTimezone();
  const { arrange_time, time_name } = session;
  return (
    <time dateTime={new Date(arrange_time * 1000).toISOString()} title={sessionTime(session, timezone)}>
      {formatNearDay(arrange_time, useNow(), timezone)} {time_name}
    </time>
  );
}
