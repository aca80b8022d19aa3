/** A long history as a file, in a thread with a connection of its own. */
import { type WorkerInput, writeHere } from '#server/platform/export/in-worker.ts';
import { type RowsOrder, rowsBytes } from './history-export.ts';

export const exportInWorker = (input: WorkerInput<RowsOrder>): Promise<void> =>
  writeHere(input, (db, progress) => rowsBytes(db, input.order, progress));
