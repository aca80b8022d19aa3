/** Brings a database to the present schema: each migration of a folder once, in their order, under a lock. */
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { FileMigrationProvider, type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { type Database, isSqlite, type OpenDatabase } from './engine.ts';

/** The migrations of a folder by name: each is a module that exports `up`, as Kysely's FileMigrationProvider reads it. */
export const migrationsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();

/** How a database stands to the migrations of this version; names in their order. */
export interface SchemaState {
  done: string[];
  /** When the last of them was run, unix seconds; 0 where none was. */
  at: number;
  /** What this version would run. */
  toDo: string[];
  /** What another version has run. */
  unknown: string[];
}

export async function schemaState(db: Database, known: readonly string[]): Promise<SchemaState> {
  const rows = await migrationsRun(db);
  const done = rows.map(({ name }) => name);
  return {
    done,
    at: Math.floor(Date.parse(rows.at(-1)?.timestamp ?? '1970-01-01') / 1000),
    toDo: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

/** None where no migration has ever been run. */
async function migrationsRun(db: Database): Promise<{ name: string; timestamp: string }[]> {
  const table = isSqlite(db)
    ? sql`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`
    : sql`select 1 where to_regclass('kysely_migration') is not null`;
  if ((await table.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db);
  return rows;
}

/** Of two servers that start at once, one migrates; on SQLite the write lock is enough for that. */
const migrationLock = 4_170_611;

/**
 * Runs what a database has not had yet. Two servers that start at once wait for each other. All of it happens in one
 * transaction, with `check` at its end: where that throws, or a migration does, the database is as it was, and nothing
 * is lost that others have written meanwhile.
 */
export async function runMigrations(
  { db, engine }: OpenDatabase,
  folder: string,
  check?: (db: Database) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
    let failure: unknown;
    const noted = ({ up, ...migration }: Migration): Migration => ({
      ...migration,
      up: (within) =>
        up(within).catch((error: unknown) => {
          failure = error;
          throw error;
        }),
    });
    const files = new FileMigrationProvider({ fs: { readdir }, path, migrationFolder: folder });
    const provider: MigrationProvider = {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(await files.getMigrations()).map(([name, migration]) => [name, noted(migration)]),
        ),
    };
    const { error, results } = await new Migrator({ db: transaction, provider }).migrateToLatest();
    // What PostgreSQL says of a transaction that is broken already says nothing of why.
    if (error) throw failure ?? error;
    if (results && results.length > 0) await check?.(transaction);
  });
}

/** PostgreSQL's sequences do not see explicit ids: after a bulk load they are set behind the highest. */
export async function resetSequences({ db, engine }: OpenDatabase, tables: readonly string[]): Promise<void> {
  if (engine !== 'postgres') return;
  for (const table of tables) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce((select max(id) from ${sql.table(table)}), 0) + 1, false)`.execute(
      db,
    );
  }
}
