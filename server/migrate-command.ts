/** `npm run migrate`: brings the database to this version, as starting the server does. */

import { wrongSettings } from '#server/platform/configuration/read.mjs';
import { isDatabaseAway, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, storageSettings } from '#server/platform/files/storage.ts';
import { wallClock } from '#server/school/calendar.ts';
import { bringUpToDate, WrongSchema } from './upgrade.ts';

async function main(): Promise<number> {
  const database = openDatabase(databaseLocation());
  try {
    const storage = await createStorage(storageSettings());
    const { migrated, restorePoint } = await bringUpToDate(database, { storage, now: wallClock });
    if (restorePoint) console.log(`The database as it was is in ${restorePoint}.`);
    console.log(
      migrated.length > 0
        ? `${migrated.length} migrations were run, up to ${migrated.at(-1)}.`
        : 'The database is of this version already.',
    );
    return 0;
  } finally {
    await database.destroy();
  }
}

if (import.meta.main) {
  process.exitCode = await main().catch((error: unknown) => {
    if (!(error instanceof WrongSchema) && !isDatabaseAway(error)) throw error;
    console.error(error instanceof WrongSchema ? error.message : `The database does not answer: ${error}`);
    return error instanceof WrongSchema ? wrongSettings : 1;
  });
}
