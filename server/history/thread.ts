/** A long history as a file, in a thread with a connection of its own. */
import { type ApartInput, writeHere } from '#server/platform/export/in-worker.ts';
import { type RowsOrder, rowsBytes } from './history-export.ts';

export const exportApart = (input: ApartInput<RowsOrder>): Promise<void> =>
  writeHere(input, (db, progress) => rowsBytes(db, input.order, progress));
