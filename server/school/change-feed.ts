/**
 * Change feeds for other applications: the records changed since the last request, in the order of change, with a
 * cursor (`since`). The cursor stays half a minute in the past, because a transaction that began earlier may commit
 * later. So recent changes are sent twice, but none is missed.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import { WholeNumber } from '#server/platform/calls/fields.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import type { Operand } from '#server/platform/db/prepared.ts';

/** Maximum seconds by which a change may be committed after a later one. */
export const settlingSeconds = 30;
const limits = { usual: 50, most: 200 } as const;

export interface Position {
  at: number;
  id: number;
}

/** An invalid cursor counts as the beginning of the feed. */
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
    /** Cursor for the next page. */
    since: v.string(),
    /** 1: more rows are available now. */
    more: v.picklist([0, 1]),
  });

/** Additional field of a feed for records that were deleted since the cursor. */
export const removedIdsField = {
  /** Ids of deleted records; an id may be sent twice. */
  removed: v.array(v.number()),
};

/**
 * SQL condition for deleted records that the caller may have: created before the cursor, deleted since. `created` and
 * `removed`: columns of the query.
 */
export const isRemovedSince = (
  since: Position,
  { created, removed }: { created: string; removed: string },
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(removed)} >= ${since.at} and ${sql.ref(created)} <= ${since.at + 2 * settlingSeconds})`;

interface ListQuery<Row> {
  where(condition: RawBuilder<SqlBool>): ListQuery<Row>;
  orderBy(order: RawBuilder<unknown>): ListQuery<Row>;
  limit(most: Operand<number>): ListQuery<Row>;
  execute(): Promise<Row[]>;
}

interface ChangePage {
  since?: Position | undefined;
  limit: number;
  now: number;
}

/** SQL for the time of a row's change, and for its id. */
interface Order {
  changed: RawBuilder<number>;
  id: RawBuilder<number>;
}

/** Limits a query to the first rows that changed after a position of the feed, in order. */
export const isChangedAfter = <Query>(
  query: Query,
  { changed, id }: Order,
  { at, id: last }: { at: Operand<number>; id: Operand<number> },
  most: Operand<number>,
): Query =>
  (query as ListQuery<unknown>)
    // Compared as bigint, because a cursor may contain an id that the column's type cannot hold.
    .where(sql<SqlBool>`(${changed}, ${id}) > (${at}, cast(${last} as bigint))`)
    .orderBy(changed)
    .orderBy(id)
    .limit(most) as Query;

/** Reads a page of rows that changed after `since`. `changed` and `id`: SQL expressions of the query. */
export async function changedRows<Row>(
  query: unknown,
  { of, ...order }: Order & { of: (row: Row) => Position },
  following: ChangePage,
): Promise<FollowedPage<Row>> {
  const { since = firstPosition, limit } = following;
  return changePage(await isChangedAfter(query as ListQuery<Row>, order, since, limit + 1).execute(), of, following);
}

interface FollowedPage<Row> {
  rows: Row[];
  since: string;
  more: 0 | 1;
}

/** Cursor for the first request. */
export const firstPosition: Position = { at: 0, id: 0 };

/** Builds a page and its next cursor from rows of `isChangedAfter`, which must include one row more than the page. */
export function changePage<Row>(
  found: readonly Row[],
  of: (row: Row) => Position,
  { since = firstPosition, limit, now }: ChangePage,
): FollowedPage<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = last ? of(last) : since;
  const isMore = found.length > limit;
  // Only the last page moves the cursor back in time; otherwise the same rows would be sent forever.
  const goesOn = !isMore && next.at > now - settlingSeconds ? { at: now - settlingSeconds, id: 0 } : next;
  return { rows, since: `${goesOn.at}-${goesOn.id}`, more: isMore ? 1 : 0 };
}

/** SQL for the later of two times, on SQLite and PostgreSQL. */
export const laterOf = (db: Database, one: string, other: string): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`max(${sql.ref(one)}, ${sql.ref(other)})`
    : sql<number>`greatest(${sql.ref(one)}, ${sql.ref(other)})`;

/** SQL for the new `changed_at` of a row. It always rises, even if the row changes twice in one second. */
export const nextChangedAt = (now: number): RawBuilder<number> =>
  sql<number>`case when changed_at >= ${now} then changed_at + 1 else ${now} end`;
