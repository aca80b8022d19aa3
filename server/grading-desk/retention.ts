/** Retention of the snapshots that undo batch grading. */
import type { Database } from '#server/platform/db/engine.ts';

/**
 * Deletes the snapshots of at most `most` batches older than `before` (unix seconds). Returns the number of batches.
 */
export async function purgeAnswerSnapshots(
  db: Database,
  { before, most }: { before: number; most: number },
): Promise<number> {
  const batches = await db
    .selectFrom('grading_batch')
    .select('grading_batch.id')
    .where('at', '<', before)
    .where('id', 'in', db.selectFrom('grading_batch_answer').select('grading_batch_answer.batch_id'))
    .limit(most)
    .execute();
  if (batches.length === 0) return 0;
  const ids = batches.map(({ id }) => id);
  await db.deleteFrom('grading_batch_answer').where('batch_id', 'in', ids).execute();
  return ids.length;
}
