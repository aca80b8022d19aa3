/** The work on a large import, and a whole school as a file, in a thread with a connection of its own. */
import { type Database, openDatabase } from '#server/platform/db/engine.ts';
import { type WorkerInput, writeHere } from '#server/platform/export/in-worker.ts';
import { lowerPriority } from '#server/platform/jobs/priority.ts';
import { doJob, type JobOrder } from './jobs.ts';
import { readAsSaid } from './mapping.ts';
import { shapedHere } from './refused-file.ts';
import { type ExportOrder, exportedBytes } from './school-export.ts';
import { storeUploadHere } from './store-file.ts';

export interface WorkerOrder<Order> {
  order: Order;
  location: string;
}

/** The same work with a connection of its own. */
function inThread<Order, Outcome>(here: (db: Database, order: Order) => Promise<Outcome>) {
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

/** Refused: why. */
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
    const refusal = await doJob(database.db, order);
    return refusal ? { refused: { msg: refusal.msg, data: refusal.data } } : {};
  } finally {
    await database.destroy();
  }
}

export const keepApart = inThread(storeUploadHere);
export const mapApart = inThread(readAsSaid);
export const refusedApart = inThread(shapedHere);

export const exportInWorker = (input: WorkerInput<ExportOrder>): Promise<void> =>
  writeHere(input, (db, progress) => exportedBytes(db, input.order, progress));
