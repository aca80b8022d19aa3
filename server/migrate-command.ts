/** `npm run migrate`: migrates the database, as a server start does. */

import { migrateAtStart, WrongSchema } from '#server/backup/upgrade.ts';
import { noCommand, parseArguments, runCommandLine } from '#server/platform/configuration/command-line.ts';
import { wrongSettingsExitCode } from '#server/platform/configuration/read.mjs';
import { openDatabase } from '#server/platform/db/engine.ts';
import { createMissingIndexes } from '#server/platform/db/indexes.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, storageSettings } from '#server/platform/files/storage.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { indexesAddedLater } from '#server/schema/indexes.ts';
import { wallClock } from '#server/school/calendar.ts';
import { exitCodeOf } from '#server/school/command-line.ts';
import { servingFault } from './startup-check.ts';

const usage = `Usage: npm run migrate

Brings the database of DATABASE_URL, or school.db in VAR_DIR (default var), to this version, as starting the server does.
It is copied before, unless RESTORE_POINTS is 0, and stays as it was where that fails.
Exit code: 0 done, 1 the database does not answer, 2 not understood, ${wrongSettingsExitCode} a setting is wrong, or this version
cannot work on the database.`;

/** Parses the arguments; the command takes none. */
const readMigrateCommand = (args: string[]) =>
  parseArguments(args, {}, (_, [word]) => (word === undefined ? {} : noCommand(word)));

async function migrateDatabase(): Promise<number> {
  const database = openDatabase(databaseLocation());
  try {
    const storage = await createStorage(storageSettings());
    const services = { database, storage, now: wallClock, log: openLog(), checkAnswers: false };
    const { migrated, restorePoint } = await migrateAtStart(database, {
      storage,
      now: wallClock,
      faultOfServing: (db) => servingFault(services, db),
    });
    if (restorePoint) console.log(`The database as it was is in ${restorePoint}.`);
    console.log(
      migrated.length > 0
        ? `${migrated.length} migrations were run, up to ${migrated.at(-1)}.`
        : 'The database is of this version already.',
    );
    const made = await createMissingIndexes(database, indexesAddedLater);
    if (made.length > 0) console.log(`Indexes were made: ${made.join(', ')}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof WrongSchema)) throw error;
    console.error(error.message);
    return wrongSettingsExitCode;
  } finally {
    await database.destroy();
  }
}

if (import.meta.main) {
  process.exitCode = await exitCodeOf(
    runCommandLine(readMigrateCommand(process.argv.slice(2)), usage, migrateDatabase),
  );
}
