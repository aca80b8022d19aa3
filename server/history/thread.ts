/** Exports a long history in a worker thread, which opens a database connection of its own. */
import { type WorkerInput, writeInWorker } from '#server/platform/export/in-worker.ts';
import { type RowsOrder, rowsBytes } from './history-export.ts';

export const exportInWorker = (input: WorkerInput<RowsOrder>): Promise<void> =>
  writeInWorker(input, (db, progress) => rowsBytes(db, input.order, progress));
