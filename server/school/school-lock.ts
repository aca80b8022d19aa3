import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';

/**
 * Locks the school's catalogue until the transaction ends. Checks for free names and positions concern all entries, and
 * these changes are rare and take milliseconds.
 */
export async function withSchoolLock(db: Database): Promise<void> {
  await forUpdate(db)(db.selectFrom('school').select('id').orderBy('id').limit(1)).execute();
}
