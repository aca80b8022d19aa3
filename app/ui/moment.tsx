/** A time in the school's time zone: `2026-11-21 08:30`. A dash for 0. */
import { formatNearTime, formatTime, formatTimeLeft } from '../lib/dates.ts';
import type { Column } from './list-table.tsx';
import styles from './moment.module.css';
import { useNow, useTimezone } from './use-school.ts';

/** `at` is in unix seconds. */
export const Moment = ({ at }: { at: number }) => formatTime(at, useTimezone());

interface NearMomentProps {
  at: number;
  now?: number;
  /** Set in an island, which does not know the time zone of the page. There, set `now` too. */
  timezone?: string;
}

/** A time relative to today. Tooltip and print show it in full. A dash for 0. */
export function NearMoment({ at, now, timezone }: NearMomentProps) {
  const known = { now: useNow(), timezone: useTimezone() };
  const zone = timezone ?? known.timezone;
  if (at <= 0) return '-';
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at, zone)}>
      {formatNearTime(at, now ?? known.now, zone)}
    </time>
  );
}

/** A deadline with the time left. `over` is the text once the deadline has passed. */
export function Deadline({ at, over }: { at: number; over: string }) {
  return (
    <span className={styles.deadline}>
      <NearMoment at={at} /> <span>· {formatTimeLeft(at, useNow()) ?? over}</span>
    </span>
  );
}

export function timeColumn<Row>(
  key: string,
  header: string,
  at: (row: Row) => number,
  more?: Partial<Column<Row>>,
): Column<Row> {
  return { key, header, nowrap: true, cell: (row) => <NearMoment at={at(row)} />, ...more };
}
