/** Paging of lists: counted once, and a page beyond the last is the last. */
import type { SelectQueryBuilder } from 'kysely';
import type { Page } from '#server/platform/calls/rules.ts';

export interface Paging {
  page: number;
  limit: number;
}

/** Which rows of a list are asked for. */
export interface RowRange {
  limit: number;
  offset: number;
}

/** A query that is ordered, and lacks nothing but the rows that it stops at. */
export interface Ordered<Row> {
  limit(limit: number): { offset(offset: number): { execute(): Promise<Row[]> } };
}

/**
 * One page of a list. `counted` is the query whose rows the list has, or their number where that is kept; `rows` reads
 * them in order. A list shrinks while people look at it: what they decide leaves it, and addresses outlive their
 * filters. So a page that is gone is the last one that there is, and the answer's `page` says which.
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  counted: SelectQueryBuilder<DB, TB, object> | number,
  { page, limit }: Paging,
  rows: Ordered<Row> | ((range: RowRange) => Promise<Row[]> | Row[]),
): Promise<Page<Row>> {
  const total = typeof counted === 'number' ? counted : await countOf(counted);
  if (total === 0) return emptyPage({ limit });
  const there = Math.min(page, Math.ceil(total / limit));
  const offset = (there - 1) * limit;
  const list =
    typeof rows === 'function' ? await rows({ limit, offset }) : await rows.limit(limit).offset(offset).execute();
  return { list, total, page: there, limit };
}

/**
 * The same where counting takes as long as reading, and one statement does both: each row says how many there are in
 * all. Only a page beyond the last is asked for twice.
 */
export async function countedPage<Row extends { total: number }>(
  { page, limit }: Paging,
  rows: (range: RowRange) => Promise<Row[]>,
): Promise<Page<Row>> {
  const list = await rows({ limit, offset: (page - 1) * limit });
  const [first] = list;
  if (first) return { list, total: first.total, page, limit };
  if (page === 1) return emptyPage({ limit });
  const [any] = await rows({ limit: 1, offset: 0 });
  if (!any) return emptyPage({ limit });
  const last = Math.ceil(any.total / limit);
  return { list: await rows({ limit, offset: (last - 1) * limit }), total: any.total, page: last, limit };
}

export const emptyPage = ({ limit }: { limit: number }): Page<never> => ({ list: [], total: 0, page: 1, limit });

/** How many rows a query finds, whatever tables it joins. */
export async function countOf<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}
