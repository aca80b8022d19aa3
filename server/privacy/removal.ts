/**
 * Deletes the files of erased students after the transaction has committed, because a rollback would still need them.
 */
import { sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Log } from '#server/platform/monitoring/log.ts';

/** Files per batch. */
const batch = 100;

export async function queueFilesForRemoval(db: Database, files: readonly string[], now: number): Promise<void> {
  const all = [...new Set(files)];
  for (let from = 0; from < all.length; from += batch) {
    await db
      .insertInto('erased_file')
      .values(all.slice(from, from + batch).map((storage_key) => ({ storage_key, at: now })))
      .onConflict((known) => known.column('storage_key').doNothing())
      .execute();
  }
}

/**
 * Deletes the queued files and returns how many. If the storage is away, the next run tries again. On SQLite it also
 * truncates the write-ahead log, which still contains the erased data.
 */
export async function deleteErasedFiles({ db, storage }: { db: Database; storage: Storage }): Promise<number> {
  let removed = 0;
  for (;;) {
    const files = await db.selectFrom('erased_file').select('storage_key').limit(batch).execute();
    for (const { storage_key } of files) {
      await storage.delete(storage_key);
      await db.deleteFrom('erased_file').where('storage_key', '=', storage_key).execute();
    }
    removed += files.length;
    if (files.length < batch) break;
  }
  if (isSqlite(db)) await sql`pragma wal_checkpoint(truncate)`.execute(db);
  return removed;
}

/** Milliseconds to wait; by then the transaction of the call has ended. */
const soon = 500;

export function deleteErasedFilesSoon(services: { db: Database; storage: Storage; log: Log }): void {
  const look = () =>
    deleteErasedFiles(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'files of the erased left'),
    );
  setTimeout(look, soon).unref();
}
