/** Applies database migrations: each module of a folder once, in order, under a lock, in one transaction. */
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { FileMigrationProvider, type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { type Database, isSqlite, type OpenDatabase } from './engine.ts';

/**
 * Names of the migrations in a folder, sorted. Each is a module that exports `up`, for Kysely's FileMigrationProvider.
 */
export const migrationsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();

/** State of a database compared with this version's migrations; names in order. */
export interface SchemaState {
  done: string[];
  /** When the last migration ran, unix seconds; 0 if none did. */
  at: number;
  /** Migrations of this version that still have to run. */
  toDo: string[];
  /** Migrations run by another version of the product. */
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

/** Returns the migrations that have run; an empty list if the database has no migration table. */
async function migrationsRun(db: Database): Promise<{ name: string; timestamp: string }[]> {
  const table = isSqlite(db)
    ? sql`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`
    : sql`select 1 where to_regclass('kysely_migration') is not null`;
  if ((await table.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db);
  return rows;
}

/**
 * Key of a PostgreSQL advisory lock, so that only one of two starting servers migrates. On SQLite the write lock is
 * enough.
 */
const migrationLock = 4_170_611;

/**
 * Runs the missing migrations and then `check`, all in one transaction. If either throws, everything rolls back. Two
 * servers that start at once wait for each other.
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
    // Throws the first failure, because the error after it (“transaction is aborted”) hides the cause.
    if (error) throw failure ?? error;
    if (results && results.length > 0) await check?.(transaction);
  });
}

/** Moves PostgreSQL's id sequences beyond the highest ids, after rows were loaded with explicit ids. */
export async function resetSequences({ db, engine }: OpenDatabase, tables: readonly string[]): Promise<void> {
  if (engine !== 'postgres') return;
  for (const table of tables) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce((select max(id) from ${sql.table(table)}), 0) + 1, false)`.execute(
      db,
    );
  }
}
