import { sql } from 'kysely';
import type { Database } from './engine.ts';
import { isSqlite } from './search.ts';

/**
 * Tells the planner what is in these tables, after thousands of rows at once: PostgreSQL looks by itself only now and
 * then, and never at what a transaction has not finished. SQLite has no statistics (decision 028).
 */
export async function noteSizes(db: Database, tables: readonly string[]): Promise<void> {
  if (isSqlite(db)) return;
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
}
