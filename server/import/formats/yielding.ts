/** Iterates large files in slices, so that the event loop serves other requests. */
import { setImmediate as othersTurn } from 'node:timers/promises';

/** Rows per slice. */
const rowsInTurn = 500;

export async function forEachYielding<Row>(rows: Iterable<Row>, take: (row: Row) => void): Promise<void> {
  let taken = 0;
  for (const row of rows) {
    take(row);
    taken += 1;
    if (taken % rowsInTurn === 0) await othersTurn();
  }
}
