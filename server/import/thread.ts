/** The work on a large import, in a thread with a connection of its own. */
import { openDatabase } from '#server/platform/db/engine.ts';
import { doJob, type JobOrder } from './jobs.ts';

/** Refused: why. */
export async function workApart({
  order,
  location,
}: {
  order: JobOrder;
  location: string;
}): Promise<{ refused?: { msg: string; data: unknown } }> {
  const database = openDatabase(location);
  try {
    const refusal = await doJob(database.db, order);
    return refusal ? { refused: { msg: refusal.msg, data: refusal.data } } : {};
  } finally {
    await database.destroy();
  }
}
