/** The work on a large import, and a whole school as a file, in a thread with a connection of its own. */
import { type Database, openDatabase } from '#server/platform/db/engine.ts';
import { type ApartInput, writeHere } from '#server/platform/export/in-worker.ts';
import { stepBack } from '#server/platform/jobs/priority.ts';
import { doJob, type JobOrder } from './jobs.ts';
import { readAsSaid } from './mapping.ts';
import { shapedHere } from './refused-file.ts';
import { type ExportOrder, exportedBytes } from './school-export.ts';
import { keepFileHere } from './store-file.ts';

export interface ApartOrder<Order> {
  order: Order;
  location: string;
}

/** The same work with a connection of its own. */
function inThread<Order, Outcome>(here: (db: Database, order: Order) => Promise<Outcome>) {
  return async ({ order, location }: ApartOrder<Order>): Promise<Outcome> => {
    stepBack();
    const database = openDatabase(location);
    try {
      return await here(database.db, order);
    } finally {
      await database.destroy();
    }
  };
}

/** Refused: why. */
export async function workApart({
  order,
  location,
}: {
  order: JobOrder;
  location: string;
}): Promise<{ refused?: { msg: string; data: unknown } }> {
  stepBack();
  const database = openDatabase(location);
  try {
    const refusal = await doJob(database.db, order);
    return refusal ? { refused: { msg: refusal.msg, data: refusal.data } } : {};
  } finally {
    await database.destroy();
  }
}

export const keepApart = inThread(keepFileHere);
export const mapApart = inThread(readAsSaid);
export const refusedApart = inThread(shapedHere);

export const exportApart = (input: ApartInput<ExportOrder>): Promise<void> =>
  writeHere(input, (db, progress) => exportedBytes(db, input.order, progress));
