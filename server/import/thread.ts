/**
 * Functions that run in the worker thread, with a database connection of their own: import jobs, reading of files,
 * exports.
 */
import { type Database, openDatabase } from '#server/platform/db/engine.ts';
import { type WorkerInput, writeInWorker } from '#server/platform/export/in-worker.ts';
import { lowerPriority } from '#server/platform/jobs/priority.ts';
import { type JobOrder, performJob } from './jobs.ts';
import { rereadWithMapping } from './mapping.ts';
import { shapeRefusedRows } from './refused-file.ts';
import { type ExportOrder, exportBytes } from './school-export.ts';
import { storeUploadInThread } from './store-file.ts';

export interface WorkerOrder<Order> {
  order: Order;
  location: string;
}

function runInWorker<Order, Outcome>(here: (db: Database, order: Order) => Promise<Outcome>) {
  return async ({ order, location }: WorkerOrder<Order>): Promise<Outcome> => {
    lowerPriority();
    const database = openDatabase(location);
    try {
      return await here(database.db, order);
    } finally {
      await database.destroy();
    }
  };
}

/** Runs an import job; returns its refusal, if any. */
export async function workInWorker({
  order,
  location,
}: {
  order: JobOrder;
  location: string;
}): Promise<{ refused?: { msg: string; data: unknown } }> {
  lowerPriority();
  const database = openDatabase(location);
  try {
    const refusal = await performJob(database.db, order);
    return refusal ? { refused: { msg: refusal.msg, data: refusal.data } } : {};
  } finally {
    await database.destroy();
  }
}

export const storeInWorker = runInWorker(storeUploadInThread);
export const mapInWorker = runInWorker(rereadWithMapping);
export const refusedRowsInWorker = runInWorker(shapeRefusedRows);

export const exportInWorker = (input: WorkerInput<ExportOrder>): Promise<void> =>
  writeInWorker(input, (db, progress) => exportBytes(db, input.order, progress));
