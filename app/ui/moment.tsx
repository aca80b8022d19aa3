/** A moment of the school's clock: `2026-11-21 08:30`; a dash for none (0). */
import { formatTime, nearTime } from '../lib/dates.ts';
import type { Column } from './list-table.tsx';
import { useTimezone } from './use-school.ts';

/** Unix seconds. */
export const Moment = ({ at }: { at: number }) => formatTime(at, useTimezone());

/** As one says it today, with the whole of it where the pointer rests. */
export function NearMoment({ at, now }: { at: number; now: number }) {
  const timezone = useTimezone();
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={formatTime(at, timezone)}>
      {nearTime(at, now, timezone)}
    </time>
  );
}

export function timeColumn<Row>(
  key: string,
  header: string,
  at: (row: Row) => number,
  more?: Partial<Column<Row>>,
): Column<Row> {
  return { key, header, nowrap: true, cell: (row) => <Moment at={at(row)} />, ...more };
}
