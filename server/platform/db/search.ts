import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './engine.ts';

/** `column` contains `text`, whatever the case; %, _ and \ in the text stand for themselves. On both engines. */
export function containing(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

interface Lockable {
  forUpdate(tables?: never): this;
}

/**
 * Locks the rows that a rule decides on until its transaction ends. SQLite has one writer at a time, and its
 * transactions begin as writers, so there the lock is held already.
 */
export function locked(db: Database) {
  const rowLocks = !('hasOneWriter' in db.getExecutor().adapter);
  /** Of a join, the rows of `tables`; else all. */
  return <Query extends Lockable>(query: Query, tables?: readonly string[]): Query =>
    rowLocks ? query.forUpdate(tables as never) : query;
}
