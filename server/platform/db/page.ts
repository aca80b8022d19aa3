/** Pagination of lists: count and page query. A page number beyond the end gives the last page. */
import type { SelectQueryBuilder } from 'kysely';
import type { Page } from '#server/platform/calls/rules.ts';

export interface Paging {
  page: number;
  limit: number;
}

export interface RowRange {
  limit: number;
  offset: number;
}

/** An ordered query that lacks only limit and offset. */
export interface OrderedQuery<Row> {
  limit(limit: number): { offset(offset: number): { execute(): Promise<Row[]> } };
}

/**
 * Returns one page of a list. `counted` is the query to count, or the count if it is known; `rows` reads the page in
 * order. A page beyond the end becomes the last page, because lists shrink while people work through them; `page` of
 * the answer says which page it is.
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  counted: SelectQueryBuilder<DB, TB, object> | number,
  { page, limit }: Paging,
  rows: OrderedQuery<Row> | ((range: RowRange) => Promise<Row[]> | Row[]),
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
 * Returns one page of rows that contain the total themselves (as a window count), so that one statement is enough. Only
 * a page beyond the end needs a second query.
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

/** Counts the rows of a query. */
export async function countOf<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow();
  return total;
}
