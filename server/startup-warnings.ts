/**
 * Warns administrators of failures ahead, such as tonight's backup, at each start and in `npm run config`. Never stops
 * the server.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { sql } from 'kysely';
import { isEncrypting, keysOfSettings } from '#server/backup/keys.ts';
import { backupFolder } from '#server/backup/make.ts';
import { copierFor } from '#server/backup/run.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { connectionsFault } from '#server/platform/db/capacity.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';

/** Returns the warnings, one sentence each. */
export async function startupWarnings(database: OpenDatabase): Promise<string[]> {
  const warnings = [await connectionsFault(database), await orderFault(database)];
  return [...warnings.filter((fault) => fault !== undefined), ...(await backupFaults(database.location))];
}

/** Warns if PostgreSQL's collation does not sort by code point, as SQLite does. */
async function orderFault({ db, engine }: OpenDatabase): Promise<string | undefined> {
  if (engine !== 'postgres') return undefined;
  const { rows } = await sql<{ by_code_point: boolean }>`select not ('a' < 'B') as by_code_point`.execute(db);
  if (rows[0]?.by_code_point !== false) return undefined;
  return `The database orders texts by the rules of a language and not by code point (locale C): some lists stand in another order than the documentation has it. A database made with --locale C, into which a backup is restored, has the usual one.`;
}

/** Warns of anything that would prevent automatic backups or restoring them. */
async function backupFaults(location: string): Promise<string[]> {
  if (setting('BACKUP_DIR') === '' || location === ':memory:') return [];
  const folder = backupFolder();
  const faults = await copierFor(location).outlook(canRead());
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    faults.push(
      `BACKUP_DIR names ${folder}, which is no folder that can be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
  return faults.map((fault) => `Backups will fail as long as this holds: ${fault}`);
}

function canRead(): boolean {
  const keys = keysOfSettings();
  return !isEncrypting(keys) || keys.passphrase !== '' || keys.identity !== '';
}

/** Warnings for `npm run config`. SQLite is not opened, since that would create it. */
async function printWarnings(): Promise<void> {
  const location = databaseLocation();
  if (!setting('DATABASE_URL')) {
    for (const fault of await backupFaults(location)) console.error(fault);
    return;
  }
  const database = openDatabase(location);
  try {
    for (const fault of await startupWarnings(database)) console.error(fault);
  } catch (error) {
    console.error(`The database does not answer: ${error instanceof Error ? error.message : error}`);
  } finally {
    await database.destroy();
  }
}

if (import.meta.main) await printWarnings();
