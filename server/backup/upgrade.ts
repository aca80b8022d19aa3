/**
 * Migrates the database at server start. Refuses a database that an unknown version migrated, makes a restore point
 * first, and rolls back if a migration or the trial run fails.
 */
import path from 'node:path';
import { sql } from 'kysely';
import { setting } from '#server/platform/configuration/setting.ts';
import { type Database, isDatabaseAway, type OpenDatabase } from '#server/platform/db/engine.ts';
import { analyzeAllTables } from '#server/platform/db/statistics.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { migrate, stateOfSchema, unknownSchema } from '#server/schema/migrate.ts';
import { recordBackup } from './records.ts';

/**
 * This version cannot use the database, and a restart does not help. The message is a sentence for the administrator.
 */
export class WrongSchema extends Error {}

export interface Upgrade {
  /** Names of the migrations that ran. */
  migrated: string[];
  /** File of the restore point; undefined if the database was empty, or no restore point was wanted. */
  restorePoint: string | undefined;
}

/** Tries the migrated database inside the transaction of the migration: returns what fails, or undefined. */
export type ServingCheck = (db: Database) => Promise<string | undefined>;

export async function migrateAtStart(
  database: OpenDatabase,
  { storage, now, faultOfServing }: { storage: Storage; now: () => number; faultOfServing: ServingCheck },
): Promise<Upgrade> {
  const { done, toDo, unknown } = await stateOfSchema(database.db);
  const other = unknownSchema({ done, unknown });
  if (other) throw new WrongSchema(other);
  if (toDo.length === 0) return { migrated: [], restorePoint: undefined };
  const started = now();
  const isWanted = done.length > 0 && database.location !== ':memory:' && setting('RESTORE_POINTS');
  // Loaded lazily, because most starts migrate nothing.
  const { makeRestorePoint } = isWanted ? await import('./restore-point.ts') : { makeRestorePoint: undefined };
  const point = await makeRestorePoint?.({ location: database.location, storage, now }, { done, toDo });
  if (point && 'fault' in point)
    throw new WrongSchema(
      `The database is to be migrated (${toDo.length} migrations), and no restore point could be written before: ${point.fault.replace(/[^.!?]$/, '$&.')} RESTORE_POINTS=0 migrates without one.`,
    );
  try {
    await migrate(database, async (db) => {
      const fault = done.length > 0 ? await faultOfServing(db) : undefined;
      if (fault) throw new Error(`Tried on it before that was final, this version did not serve: ${fault}.`);
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    throw new WrongSchema(
      `The database could not be migrated to this version, and is as it was before: the version before this one serves it. ${error instanceof Error ? error.message : error}`,
    );
  }
  if (done.length > 0) await tidyUp(database);
  if (point) {
    const { bytes, file } = point;
    await recordBackup(database.db, {
      kind: 'restore_point',
      file: path.basename(file),
      bytes,
      files: 0,
      verdict: 'unread',
      reason: '',
      missing: 0,
      message: '',
      started_at: started,
      ended_at: now(),
    });
  }
  return { migrated: toDo, restorePoint: point?.file };
}

/**
 * Runs after migrations: ANALYZE on PostgreSQL, VACUUM on SQLite, whose file keeps the bytes of deleted rows. A failure
 * is only logged.
 */
async function tidyUp(database: OpenDatabase): Promise<void> {
  try {
    if (database.engine === 'postgres') await analyzeAllTables(database);
    else {
      // SQLite's temporary copy goes to a file, because the copy of a large school does not fit into memory.
      await sql`pragma temp_store = file`.execute(database.db);
      await sql`vacuum`.execute(database.db);
      await sql`pragma temp_store = memory`.execute(database.db);
    }
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
  }
}
