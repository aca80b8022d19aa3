/**
 * Change feeds for applications: records changed since the last request, in order of change, with a cursor (`since`).
 * The cursor stays half a minute behind, because a transaction that began earlier may still commit. So recent changes
 * come twice, but none is missed.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import * as v from 'valibot';
import { WholeNumber } from '#server/platform/calls/fields.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import type { Operand } from '#server/platform/db/prepared.ts';

/** Seconds by which a change may be committed after a later one. */
export const settlingSeconds = 30;
const limits = { usual: 50, most: 200 } as const;

export interface Position {
  at: number;
  id: number;
}

/** An invalid cursor starts from the beginning. */
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
    /** Cursor of the next page. */
    since: v.string(),
    /** 1 if more is available now. */
    more: v.picklist([0, 1]),
  });

/** Field for records deleted since the cursor. */
export const removedIdsField = {
  /** Ids of deleted records; some may come twice. */
  removed: v.array(v.number()),
};

/**
 * Condition for deleted records that the caller may know: removed since the cursor and created before it. `created` and
 * `removed` are columns of the query.
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

/** SQL expressions for the change time and the id of a row. */
interface Order {
  changed: RawBuilder<number>;
  id: RawBuilder<number>;
}

/** Limits a query to the first rows changed after a position, in order. */
export const isChangedAfter = <Query>(
  query: Query,
  { changed, id }: Order,
  { at, id: last }: { at: Operand<number>; id: Operand<number> },
  most: Operand<number>,
): Query =>
  (query as ListQuery<unknown>)
    // bigint: the cursor may contain an id beyond the column's range.
    .where(sql<SqlBool>`(${changed}, ${id}) > (${at}, cast(${last} as bigint))`)
    .orderBy(changed)
    .orderBy(id)
    .limit(most) as Query;

/** Reads a page of rows changed after `since`. `changed` and `id` are SQL expressions of the query. */
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

/** Cursor of a first request. */
export const firstPosition: Position = { at: 0, id: 0 };

/** Builds a page and its next cursor from rows of `isChangedAfter`, which read one row more than a page. */
export function changePage<Row>(
  found: readonly Row[],
  of: (row: Row) => Position,
  { since = firstPosition, limit, now }: ChangePage,
): FollowedPage<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = last ? of(last) : since;
  const isMore = found.length > limit;
  // Goes back only at the end of the list; otherwise the same rows would come forever.
  const goesOn = !isMore && next.at > now - settlingSeconds ? { at: now - settlingSeconds, id: 0 } : next;
  return { rows, since: `${goesOn.at}-${goesOn.id}`, more: isMore ? 1 : 0 };
}

/** SQL: the later of two moments, on both engines. */
export const laterOf = (db: Database, one: string, other: string): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`max(${sql.ref(one)}, ${sql.ref(other)})`
    : sql<number>`greatest(${sql.ref(one)}, ${sql.ref(other)})`;

/** SQL: new `changed_at` of a changed row. Always rises, even with two changes in one second. */
export const nextChangedAt = (now: number): RawBuilder<number> =>
  sql<number>`case when changed_at >= ${now} then changed_at + 1 else ${now} end`;
