/**
 * Cache for one page render: memoises lookups that several calls of a page repeat, such as access to its record. Safe
 * because rendering a page writes nothing. An example:
 *
 * `memoizePerPage(db, `class ${classId}`, () => seenClass(db, actor, classId))`
 */
import type { Database } from './engine.ts';
import type { Tables } from './schema.ts';

const pages = new WeakMap<Database, Map<string, unknown>>();

/** Returns the database with an empty cache, for one page render of one user. */
export function withPageCache(db: Database): Database {
  const own = db.$pickTables<keyof Tables>();
  pages.set(own, new Map());
  return own;
}

/**
 * Memoises `ask` per page render under the key `what`, which must include every input except the user. Without a page
 * cache, and in a transaction, it always calls `ask`.
 */
export function memoizePerPage<Answer>(db: Database, what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const cache = pages.get(db) as Map<string, Promise<Answer>> | undefined;
  if (!cache) return ask();
  const known = cache.get(what);
  if (known) return known;
  const answer = ask();
  cache.set(what, answer);
  return answer;
}
