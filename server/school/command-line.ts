/** Shared parts of commands: opening the database and storage, exit codes. */
import { isDatabaseAway, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, type Storage, storageSettings } from '#server/platform/files/storage.ts';
import { schemaFault } from '#server/schema/migrate.ts';
import { wallClock } from './calendar.ts';

/**
 * Runs `work` on the configured database; returns its exit code. If the schema is of another version, prints an error
 * and returns 1.
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

/** Services and time for a command. `now`: unix seconds. */
export interface CommandServices {
  database: OpenDatabase;
  storage: Storage;
  now: number;
}

/** Runs `work`. Prints the lines it returns and exits with 0, or prints the sentence of a refusal and exits with 1. */
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

/** Returns the exit code of a command; 1, with a message, if the database is not available. */
export const exitCodeOf = (command: Promise<number>): Promise<number> =>
  command.catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
    console.error(`The database does not answer: ${error instanceof Error ? error.message : error}`);
    return 1;
  });
