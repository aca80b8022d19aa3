/**
 * Rate limits against guessing (brute force). Counts password attempts per name and address, and second-factor codes
 * per person. The counts are in the database, so they hold across processes and restarts.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';

export interface Limit {
  /** Kind of attempt, such as `sign-in`. */
  kind: string;
  /** Maximum failed attempts within the window. */
  max: number;
  /** Length of the window in seconds. It begins with the first attempt. */
  window: number;
}

/** Cache per database: keys that are refused until `endsAt` (unix seconds), so that guessers cost no query. */
const refusedUntil = new WeakMap<object, Map<string, { most: number; endsAt: number }>>();
const maxRemembered = 10_000;

/** Hashes the key of an attempt, because people sometimes type their password into the field for the name. */
const hashOf = ({ kind }: Limit, key: string): string =>
  createHash('sha256').update(`${kind}\n${key}`).digest('base64url');

/**
 * Counts an attempt before it is checked, so that parallel guesses count too. Returns undefined if the attempt is
 * allowed, else the seconds to wait. `now` in unix seconds.
 */
export async function countAttempt(db: Database, limit: Limit, key: string, now: number): Promise<number | undefined> {
  const { max: most, window } = limit;
  const id = hashOf(limit, key);
  const known = blockedNames(db);
  const refused = known.get(id);
  // A guesser who is refused already gets the answer from the cache, without a write to the database.
  if (refused && most <= refused.most && now < refused.endsAt && refused.endsAt <= now + window)
    return refused.endsAt - now;
  // A window that ends too far in the future was stored before the clock was set back, and counts as over.
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

/** Takes back the count of an attempt that was no failure. */
export async function undoAttempt(db: Database, limit: Limit, key: string): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ tries: sql<number>`tries - 1` })
    .where('id', '=', hashOf(limit, key))
    .where('tries', '>', 0)
    .execute();
}

/** Resets the count after a success. */
export async function resetAttempts(db: Database, limit: Limit, key: string): Promise<void> {
  await db.deleteFrom('attempt').where('id', '=', hashOf(limit, key)).execute();
}

/** Purges at most `most` rows whose window ended before `endedBefore` (unix seconds); returns how many. */
export async function purgeAttempts(
  db: Database,
  { endedBefore, most }: { endedBefore: number; most: number },
): Promise<number> {
  const old = db.selectFrom('attempt').select('id').where('ends_at', '<', endedBefore).limit(most);
  const { numDeletedRows } = await db.deleteFrom('attempt').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

function blockedNames(db: Database): Map<string, { most: number; endsAt: number }> {
  // A database and its transactions share one adapter object, so it can be the key of the cache.
  const { adapter } = db.getExecutor();
  const known = refusedUntil.get(adapter) ?? new Map<string, { most: number; endsAt: number }>();
  refusedUntil.set(adapter, known);
  return known;
}
