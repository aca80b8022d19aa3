/** Shared parts of commands: opening the database and storage, exit codes. */
import { isDatabaseAway, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, type Storage, storageSettings } from '#server/platform/files/storage.ts';
import { schemaFault } from '#server/schema/migrate.ts';
import { wallClock } from './calendar.ts';

/**
 * Runs `work` on the configured database and returns its exit code. Prints an error and returns 1 if the schema is of
 * another version.
 */
export async function runOnDatabase(work: (database: OpenDatabase) => Promise<number>): Promise<number> {
  const database = openDatabase(databaseLocation());
  try {
    const fault = await schemaFault(database);
    if (!fault) return await work(database);
    console.error(fault);
    return 1;
  } finally {
    await database.destroy();
  }
}

/** `now` in unix seconds. */
export interface CommandServices {
  database: OpenDatabase;
  storage: Storage;
  now: number;
}

/** Runs `work`, prints the lines it returns and exits with 0; prints a refusal's sentence and exits with 1. */
export const runWithServices = (
  work: (atHand: CommandServices) => Promise<string[] | { msg: string }>,
): Promise<number> =>
  runOnDatabase(async (database) => {
    const storage = await createStorage(storageSettings());
    const outcome = await work({ database, storage, now: wallClock() });
    if ('msg' in outcome) {
      console.error(outcome.msg);
      return 1;
    }
    console.log(outcome.join('\n'));
    return 0;
  });

/** Exit code of a command; 1 with a message if the database is away. */
export const exitCodeOf = (command: Promise<number>): Promise<number> =>
  command.catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
    console.error(`The database does not answer: ${error instanceof Error ? error.message : error}`);
    return 1;
  });
