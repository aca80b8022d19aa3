import { sql } from 'kysely';
import { type Database, isSqlite, type OpenDatabase } from './engine.ts';

/**
 * Tells the planner what is in these tables, after thousands of rows at once: PostgreSQL looks by itself only now and
 * then, and never at what a transaction has not finished. SQLite has no statistics, so that its plans never change.
 */
export async function noteSizes(db: Database, tables: readonly string[]): Promise<void> {
  if (isSqlite(db)) return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
}

/**
 * Gathers planner statistics of every table of this user, after all were rewritten. This includes partitioned tables, for
 * which PostgreSQL gathers none by itself.
 */
export async function noteAllSizes({ db, engine }: OpenDatabase): Promise<void> {
  if (engine === 'postgres') await sql`analyze`.execute(db);
}

/** Gathers planner statistics of partitioned tables only; PostgreSQL gathers them for partitions by itself. */
export async function noteSizesOfPartitioned(db: Database): Promise<void> {
  if (isSqlite(db)) return;
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'p' and relnamespace = current_schema()::regnamespace`.execute(db);
  await noteSizes(
    db,
    rows.map(({ name }) => name),
  );
}
