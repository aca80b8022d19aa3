/**
 * Warns the operator of later failures, such as the coming night's backup: at each start, and by `npm run config`.
 * A warning never stops the server.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { sql } from 'kysely';
import { isEncrypting, keysOfSettings } from '#server/backup/keys.ts';
import { backupFolder } from '#server/backup/make.ts';
import { copierOf } from '#server/backup/run.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { connectionsFault } from '#server/platform/db/capacity.ts';
import { type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';

/** Sentences. */
export async function startupWarnings(database: OpenDatabase): Promise<string[]> {
  const told = [await connectionsFault(database), await orderFault(database)];
  return [...told.filter((fault) => fault !== undefined), ...(await backupFaults(database.location))];
}

/** Warns if PostgreSQL does not order texts by code point, as SQLite does. */
async function orderFault({ db, engine }: OpenDatabase): Promise<string | undefined> {
  if (engine !== 'postgres') return undefined;
  const { rows } = await sql<{ by_code_point: boolean }>`select not ('a' < 'B') as by_code_point`.execute(db);
  if (rows[0]?.by_code_point !== false) return undefined;
  return `The database orders texts by the rules of a language and not by code point (locale C): some lists stand in another order than the documentation has it. A database made with --locale C, into which a backup is restored, has the usual one.`;
}

/** Warns of anything that prevents automatic backups, or reading them back. */
async function backupFaults(location: string): Promise<string[]> {
  if (setting('BACKUP_DIR') === '' || location === ':memory:') return [];
  const folder = backupFolder();
  const faults = await copierOf(location).outlook(canRead());
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
async function tell(): Promise<void> {
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

if (import.meta.main) await tell();
