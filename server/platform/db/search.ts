import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './engine.ts';

/** `column` contains `text`, whatever the case; %, _ and \ in the text stand for themselves. On both engines. */
export function containing(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

/** `text` for the engines' indexes: as hexadecimal UTF-8, so that no mark means anything to them, whatever the case. */
const tokens = (text: string): string[] => Array.from(text.toLowerCase(), (one) => Buffer.from(one).toString('hex'));

/** A token of SQLite's full-text index for each two characters of a text that follow each other, in their order. */
export const pairsOf = (text: string): string[] => {
  const all = tokens(text);
  return all.slice(1).map((second, before) => `${all[before]}${second}`);
};

/** A token for each character of a text. */
export const charactersOf = (text: string): string[] => [...new Set(tokens(text))];

/** Whether SQLite is the engine. */
export const isSqlite = (db: Database): boolean => 'hasOneWriter' in db.getExecutor().adapter;

interface Lockable {
  forUpdate(tables?: never): this;
}

/**
 * Locks the rows that a rule decides on until its transaction ends. SQLite has one writer at a time, and its
 * transactions begin as writers, so there the lock is held already.
 */
export function locked(db: Database) {
  const rowLocks = !isSqlite(db);
  /** Of a join, the rows of `tables`; else all. */
  return <Query extends Lockable>(query: Query, tables?: readonly string[]): Query =>
    rowLocks ? query.forUpdate(tables as never) : query;
}
