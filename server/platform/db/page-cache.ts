/**
 * Memoises what the calls of one page look up again and again, such as who sees its record. A page only reads, so nothing
 * changes between its calls that it would have to see. An example:
 *
 * `memo(db, `class ${classId}`, () => seenClass(db, actor, classId))`
 */
import type { Database } from './engine.ts';
import type { Tables } from './schema.ts';

const pages = new WeakMap<Database, Map<string, unknown>>();

/** The same database with a cache of its own, for the calls of one page of one person. */
export function withPageCache(db: Database): Database {
  const own = db.$pickTables<keyof Tables>();
  pages.set(own, new Map());
  return own;
}

/**
 * The answer of `ask`, memoised per page under the key `what`, which must include every input except the person. Outside of a
 * page, and in a transaction, it is asked each time.
 */
export function memo<Answer>(db: Database, what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const asked = pages.get(db) as Map<string, Promise<Answer>> | undefined;
  if (!asked) return ask();
  const known = asked.get(what);
  if (known) return known;
  const answer = ask();
  asked.set(what, answer);
  return answer;
}
