/**
 * Lists that an application follows: what has changed since it asked last, in the order of the changes. Where it goes on
 * is said by the answer (`since`), and never beyond half a minute ago: a transaction that began earlier may still end. So
 * what changed just now comes twice, and nothing is left out.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import { WholeNumber } from '#server/platform/calls/fields.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import type { Operand } from '#server/platform/db/prepared.ts';

/** Seconds for which a change may come after a later one. */
export const settling = 30;
const limits = { usual: 50, most: 200 } as const;

export interface Position {
  at: number;
  id: number;
}

/** Nonsense is the beginning. */
export const ChangeFilter = {
  since: v.fallback(
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,12}-\d{1,15}$/),
        v.transform((text): Position => {
          const [at = 0, id = 0] = text.split('-').map(Number);
          return { at, id };
        }),
      ),
    ),
    undefined,
  ),
  limit: v.fallback(
    v.optional(v.pipe(WholeNumber, v.minValue(1), v.maxValue(limits.most)), limits.usual),
    limits.usual,
  ),
};

/* @__NO_SIDE_EFFECTS__ */
export const changesOf = <const Row extends v.GenericSchema<unknown, unknown>>(row: Row) =>
  v.object({
    list: v.array(row),
    /** Where the next one goes on. */
    since: v.string(),
    /** 1: there is more already. */
    more: v.picklist([0, 1]),
  });

/** What a list that is followed no longer has. */
export const removedIds = {
  /** Ids of what was taken away since; some of them may come twice. */
  removed: v.array(v.number()),
};

/**
 * Which of what was taken away may be known to who asks with `since`: it is gone since then, and was there before they asked
 * last. `created` and `removed` say when, in the words of the query.
 */
export const removedSince = (
  since: Position,
  { created, removed }: { created: string; removed: string },
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(removed)} >= ${since.at} and ${sql.ref(created)} <= ${since.at + 2 * settling})`;

interface Listed<Row> {
  where(condition: RawBuilder<SqlBool>): Listed<Row>;
  orderBy(order: RawBuilder<unknown>): Listed<Row>;
  limit(most: Operand<number>): Listed<Row>;
  execute(): Promise<Row[]>;
}

interface Following {
  since?: Position | undefined;
  limit: number;
  now: number;
}

/** What says when a row was changed, and which it is, in the words of a query. */
interface Order {
  changed: RawBuilder<number>;
  id: RawBuilder<number>;
}

/** The rows of a query that were changed after a position, at most so many, in their order. */
export const changedAfter = <Query>(
  query: Query,
  { changed, id }: Order,
  { at, id: last }: { at: Operand<number>; id: Operand<number> },
  most: Operand<number>,
): Query =>
  (query as Listed<unknown>)
    // Whoever asks may say a larger id than the column holds.
    .where(sql<SqlBool>`(${changed}, ${id}) > (${at}, cast(${last} as bigint))`)
    .orderBy(changed)
    .orderBy(id)
    .limit(most) as Query;

/** The rows of a query that were changed after `since`. `changed` and `id` say when, and which, in its own words. */
export async function changedRows<Row>(
  query: unknown,
  { of, ...order }: Order & { of: (row: Row) => Position },
  following: Following,
): Promise<FollowedPage<Row>> {
  const { since = beginning, limit } = following;
  return followedPage(await changedAfter(query as Listed<Row>, order, since, limit + 1).execute(), of, following);
}

interface FollowedPage<Row> {
  rows: Row[];
  since: string;
  more: 0 | 1;
}

/** Where nobody has asked before. */
export const beginning: Position = { at: 0, id: 0 };

/** A page of what `changedAfter` found, which was asked for one more than the page has, and where the next one goes on. */
export function followedPage<Row>(
  found: readonly Row[],
  of: (row: Row) => Position,
  { since = beginning, limit, now }: Following,
): FollowedPage<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = last ? of(last) : since;
  const isMore = found.length > limit;
  // Only at its end it goes back: else the same rows would come for ever.
  const goesOn = !isMore && next.at > now - settling ? { at: now - settling, id: 0 } : next;
  return { rows, since: `${goesOn.at}-${goesOn.id}`, more: isMore ? 1 : 0 };
}

/** The later of two moments, on both engines. */
export const later = (db: Database, one: string, other: string): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`max(${sql.ref(one)}, ${sql.ref(other)})`
    : sql<number>`greatest(${sql.ref(one)}, ${sql.ref(other)})`;

/** For `changed_at` of a record that changes now: each change raises it, also the second one in a second. */
export const raisedTo = (now: number): RawBuilder<number> =>
  sql<number>`case when changed_at >= ${now} then changed_at + 1 else ${now} end`;
