import { sql } from 'kysely';
import { type Database, isSqlite, type OpenDatabase } from './engine.ts';

/**
 * Gathers planner statistics (analyze) of tables after a bulk write. PostgreSQL does so only now and then, and not for
 * uncommitted rows. SQLite gets no statistics, so that its plans never change.
 */
export async function analyzeTables(db: Database, tables: readonly string[]): Promise<void> {
  if (isSqlite(db)) return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
}

/**
 * Gathers planner statistics of all tables of this user after a restore. Includes partitioned tables, which PostgreSQL
 * never analyzes by itself.
 */
export async function analyzeAllTables({ db, engine }: OpenDatabase): Promise<void> {
  if (engine === 'postgres') await sql`analyze`.execute(db);
}

/** Gathers planner statistics of partitioned tables only; PostgreSQL analyzes the partitions itself. */
export async function analyzePartitionedTables(db: Database): Promise<void> {
  if (isSqlite(db)) return;
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'p' and relnamespace = current_schema()::regnamespace`.execute(db);
  await analyzeTables(
    db,
    rows.map(({ name }) => name),
  );
}
