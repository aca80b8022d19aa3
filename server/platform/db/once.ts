/**
 * What the calls of one page look up again and again, such as who sees its record, is looked up once for it. A page
 * only reads, so nothing changes between its calls that it would have to see.
 */
import type { Database } from './engine.ts';
import type { Tables } from './schema.ts';

const pages = new WeakMap<Database, Map<string, unknown>>();

/** The same database for the calls of one page of one person. */
export function forOnePage(db: Database): Database {
  const own = db.$pickTables<keyof Tables>();
  pages.set(own, new Map());
  return own;
}

/**
 * What `ask` answers. `what` names it with all that it depends on beside the person. Outside of a page, and in every
 * transaction, it is asked each time.
 */
export function once<Answer>(db: Database, what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const asked = pages.get(db) as Map<string, Promise<Answer>> | undefined;
  if (!asked) return ask();
  const known = asked.get(what);
  if (known) return known;
  const answer = ask();
  asked.set(what, answer);
  return answer;
}
