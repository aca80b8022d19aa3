import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';

/**
 * Until the transaction ends, nobody else changes what the school is made of: whether a name is free, and in which order
 * things stand, is asked of all of them. These changes are rare and take milliseconds.
 */
export async function withSchoolLock(db: Database): Promise<void> {
  await forUpdate(db)(db.selectFrom('school').select('id').orderBy('id').limit(1)).execute();
}
