/** What commands have in common: the database of the settings, and their end. */
import { isDatabaseAway, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { schemaFault } from './migrate.ts';

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

/** The exit code of a command, 1 where its database does not answer, which is said. */
export const exitCodeOf = (command: Promise<number>): Promise<number> =>
  command.catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
    console.error(`The database does not answer: ${error instanceof Error ? error.message : error}`);
    return 1;
  });
