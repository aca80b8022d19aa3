/**
 * Row locks. An example:
 *
 * `await forUpdate(db)(visibleNotices(db, actor).select('class_notice.id').where('class_notice.id', '=', id)).execute()`
 */
import { type Database, isSqlite } from './engine.ts';

interface Lockable {
  forUpdate(tables?: never): this;
}

/**
 * Locks the rows that a query reads until its transaction ends. SQLite has one writer at a time, and its
 * transactions begin as writers, so there the lock is held already.
 */
export function forUpdate(db: Database) {
  const rowLocks = !isSqlite(db);
  /** Of a join, the rows of `tables`; else all. */
  return <Query extends Lockable>(query: Query, tables?: readonly string[]): Query =>
    rowLocks ? query.forUpdate(tables as never) : query;
}
