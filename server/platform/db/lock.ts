/**
 * Row locks (`select … for update`). An example:
 *
 * `await forUpdate(db)(visibleNotices(db, actor).select('class_notice.id').where('class_notice.id', '=',
 * id)).execute()`
 */
import { type Database, isSqlite } from './engine.ts';

interface Lockable {
  forUpdate(tables?: never): this;
}

/**
 * Locks the rows that a query reads until its transaction ends. Does nothing on SQLite, which has one writer at a time:
 * its transactions take the write lock when they begin.
 */
export function forUpdate(db: Database) {
  const rowLocks = !isSqlite(db);
  /** `tables`: if the query is a join, only rows of these tables are locked. */
  return <Query extends Lockable>(query: Query, tables?: readonly string[]): Query =>
    rowLocks ? query.forUpdate(tables as never) : query;
}
