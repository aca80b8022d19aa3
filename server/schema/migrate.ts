/** Migrates a database to the current schema. */
import { fileURLToPath } from 'node:url';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import { createInitialIndexes } from '#server/platform/db/indexes.ts';
import { migrationsIn, runMigrations, type SchemaState, schemaState } from '#server/platform/db/migrate.ts';
import { indexesAddedLater } from './indexes.ts';

const folder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Names of the migrations that this version has, in order. */
export const knownMigrations: readonly string[] = migrationsIn(folder);

export const stateOfSchema = (db: Database): Promise<SchemaState> => schemaState(db, knownMigrations);

/** Runs the missing migrations. `trial` runs in the same transaction; if it throws, everything is rolled back. */
export async function migrate(database: OpenDatabase, trial?: (db: Database) => Promise<void>): Promise<void> {
  const { done } = await stateOfSchema(database.db);
  await runMigrations(database, folder, async (db) => {
    if (done.length === 0) await createInitialIndexes(db, database.engine, indexesAddedLater);
    await trial?.(db);
  });
}

/** True if the database is older than version 1.0.0, whose migrations no longer exist. */
export const isBeforeVersion1 = (done: readonly string[]): boolean => done.includes('0001-school');

/** Returns why this version cannot use a database that another version migrated; undefined if it can. */
export function unknownSchema({ done, unknown }: Pick<SchemaState, 'done' | 'unknown'>): string | undefined {
  if (isBeforeVersion1(done))
    return 'The database was made by a version before 1.0.0, which this one cannot migrate; nothing in it was changed. Move it away (school.db in VAR_DIR, or name another DATABASE_URL) and start again to have a new one, or run the version that made it.';
  return unknown.length > 0
    ? `The database was migrated by a newer version of this product (${unknown.at(-1)}), which this one does not know: run that version, or restore a backup from before it.`
    : undefined;
}

/**
 * Returns why a command cannot use the database; undefined if it can. Commands never migrate: only a server start and
 * `npm run migrate` do.
 */
export async function schemaFault(database: OpenDatabase): Promise<string | undefined> {
  const { done, toDo, unknown } = await stateOfSchema(database.db);
  if (done.length === 0) return 'There is no school in this database yet: npm start or npm run migrate prepares it.';
  const other = unknownSchema({ done, unknown });
  if (other) return other;
  return toDo.length === 0
    ? undefined
    : `The database is of an older version of this product (${toDo.length} migrations are to be run, from ${toDo[0]} on): npm start or npm run migrate does that.`;
}
