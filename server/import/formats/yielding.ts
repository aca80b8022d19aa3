/** Iterates over large files in slices, and lets other requests run between two slices. */
import { setImmediate as othersTurn } from 'node:timers/promises';

/** Rows that are read before other requests may run. */
const rowsPerSlice = 500;

export async function forEachYielding<Row>(rows: Iterable<Row>, take: (row: Row) => void): Promise<void> {
  let taken = 0;
  for (const row of rows) {
    take(row);
    taken += 1;
    if (taken % rowsPerSlice === 0) await othersTurn();
  }
}
