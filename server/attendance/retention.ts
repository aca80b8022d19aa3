/** Purges the data for undoing roll calls and leave decisions. */
import type { Database } from '#server/platform/db/engine.ts';

interface AgeLimit {
  /** Age limit: earlier data (unix seconds) is deleted. */
  before: number;
  most: number;
}

/**
 * Deletes the undo data of at most `most` roll calls; the roll calls themselves stay. Returns the number of roll calls.
 */
export async function purgeMarks(db: Database, { before, most }: AgeLimit): Promise<number> {
  const calls = await db
    .selectFrom('roll_call')
    .select('roll_call.id')
    .where('at', '<', before)
    .where('id', 'in', db.selectFrom('roll_call_mark').select('roll_call_mark.roll_call_id'))
    .limit(most)
    .execute();
  if (calls.length === 0) return 0;
  const ids = calls.map(({ id }) => id);
  await db.deleteFrom('roll_call_mark').where('roll_call_id', 'in', ids).execute();
  return ids.length;
}

/** Deletes the undo data of at most `most` leave decisions. Returns the number of decisions. */
export async function purgeLeaveBatches(db: Database, { before, most }: AgeLimit): Promise<number> {
  const batches = await db
    .selectFrom('leave_batch')
    .select('leave_batch.id')
    .where('at', '<', before)
    .where('id', 'in', db.selectFrom('leave_batch_record').select('leave_batch_record.batch_id'))
    .limit(most)
    .execute();
  if (batches.length === 0) return 0;
  const ids = batches.map(({ id }) => id);
  await db.deleteFrom('leave_batch_record').where('batch_id', 'in', ids).execute();
  return ids.length;
}
