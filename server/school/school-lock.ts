import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';

/**
 * Locks the school's catalogue until the transaction ends. One lock for all entries is enough: checks of names and
 * positions concern all of them, and such changes are rare and take milliseconds.
 */
export async function withSchoolLock(db: Database): Promise<void> {
  await forUpdate(db)(db.selectFrom('school').select('id').orderBy('id').limit(1)).execute();
}
