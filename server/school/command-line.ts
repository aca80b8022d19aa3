/** What commands have in common: the database of the settings, the files, and their end. */
import { isDatabaseAway, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, type Storage, storageSettings } from '#server/platform/files/storage.ts';
import { schemaFault } from '#server/schema/migrate.ts';
import { wallClock } from './calendar.ts';

/** Answers the exit code of `work`, or 1 where the database is of another version, which is said. */
export async function onDatabase(work: (database: OpenDatabase) => Promise<number>): Promise<number> {
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
export interface AtHand {
  database: OpenDatabase;
  storage: Storage;
  now: number;
}

/** Prints the lines of what `work` has done and answers 0; of what it refused the sentence, and 1. */
export const onSchool = (work: (atHand: AtHand) => Promise<string[] | { msg: string }>): Promise<number> =>
  onDatabase(async (database) => {
    const storage = await createStorage(storageSettings());
    const outcome = await work({ database, storage, now: wallClock() });
    if ('msg' in outcome) {
      console.error(outcome.msg);
      return 1;
    }
    console.log(outcome.join('\n'));
    return 0;
  });

/** The exit code of a command, 1 where its database does not answer, which is said. */
export const exitCodeOf = (command: Promise<number>): Promise<number> =>
  command.catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
    console.error(`The database does not answer: ${error instanceof Error ? error.message : error}`);
    return 1;
  });
