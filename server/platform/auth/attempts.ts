/**
 * How often something that could be guessed was tried: a password of a name from an address, a code of a person. Kept in
 * the database, so that it holds over all processes and over their restarts.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';

export interface Limit {
  /** Of what, such as `sign-in`. */
  kind: string;
  /** Tries within the window that may be wrong. */
  most: number;
  /** Seconds, from the first of them on. */
  window: number;
}

/** By database, what was tried too often: until then (unix seconds) nobody has to be asked again. */
const refusedUntil = new WeakMap<object, Map<string, { most: number; endsAt: number }>>();
const maxRemembered = 10_000;

/** What was typed is not kept: people type passwords where a name is asked for. */
const hashOf = ({ kind }: Limit, key: string): string =>
  createHash('sha256').update(`${kind}\n${key}`).digest('base64url');

/**
 * Counts a try before it is looked at, so that guesses which are sent all at once are counted too. Answers the seconds
 * until the next one where it is one too many; `now` in unix seconds.
 */
export async function countAttempt(db: Database, limit: Limit, key: string, now: number): Promise<number | undefined> {
  const { most, window } = limit;
  const id = hashOf(limit, key);
  const known = rememberedOf(db);
  const refused = known.get(id);
  // A guesser costs no write for each guess any more.
  if (refused && most <= refused.most && now < refused.endsAt && refused.endsAt <= now + window)
    return refused.endsAt - now;
  // A clock that was set back makes a window that is over only after it: that is none.
  const end = sql<number>`cast(${now + window} as bigint)`;
  const isOver = sql<boolean>`(attempt.ends_at <= ${now} or attempt.ends_at > ${end})`;
  const { tries, ends_at } = await db
    .insertInto('attempt')
    .values({ id, tries: 1, ends_at: now + window })
    .onConflict((before) =>
      before.column('id').doUpdateSet({
        tries: sql<number>`case when ${isOver} then 1 else attempt.tries + 1 end`,
        ends_at: sql<number>`case when ${isOver} then ${end} else attempt.ends_at end`,
      }),
    )
    .returning(['tries', 'ends_at'])
    .executeTakeFirstOrThrow();
  if (tries <= most) return undefined;
  if (known.size >= maxRemembered) known.clear();
  known.set(id, { most, endsAt: ends_at });
  return Math.max(1, ends_at - now);
}

/** It was no failure. */
export async function takeBackAttempt(db: Database, limit: Limit, key: string): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ tries: sql<number>`tries - 1` })
    .where('id', '=', hashOf(limit, key))
    .where('tries', '>', 0)
    .execute();
}

/** Whoever has got it right begins anew. */
export async function forgiveAttempts(db: Database, limit: Limit, key: string): Promise<void> {
  await db.deleteFrom('attempt').where('id', '=', hashOf(limit, key)).execute();
}

/** Takes so many away whose windows were over before a moment (unix seconds); answers how many those were. */
export async function purgeAttempts(
  db: Database,
  { endedBefore, most }: { endedBefore: number; most: number },
): Promise<number> {
  const old = db.selectFrom('attempt').select('id').where('ends_at', '<', endedBefore).limit(most);
  const { numDeletedRows } = await db.deleteFrom('attempt').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

function rememberedOf(db: Database): Map<string, { most: number; endsAt: number }> {
  // What is made of one database for a transaction shares it.
  const { adapter } = db.getExecutor();
  const known = refusedUntil.get(adapter) ?? new Map<string, { most: number; endsAt: number }>();
  refusedUntil.set(adapter, known);
  return known;
}
