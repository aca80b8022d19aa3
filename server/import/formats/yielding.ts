/** A file of a hundred thousand rows is gone through beside whatever else the process is asked. */
import { setImmediate as othersTurn } from 'node:timers/promises';

/** Rows after which the others have their turn. */
const rowsInTurn = 500;

export async function eachInTurn<Row>(rows: Iterable<Row>, take: (row: Row) => void): Promise<void> {
  let taken = 0;
  for (const row of rows) {
    take(row);
    taken += 1;
    if (taken % rowsInTurn === 0) await othersTurn();
  }
}
