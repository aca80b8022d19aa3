/** Paging of lists: counted once, and a page beyond the last is the last. */
import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from './schema.ts';

interface Asked {
  page: number;
  limit: number;
}

/** Which rows of a list are asked for, once it is known how many there are. */
export interface PageRange extends Asked {
  total: number;
  offset: number;
}

/**
 * A list shrinks while people look at it: what they decide leaves it, and addresses outlive their filters. So a page
 * that is gone is the last one that there is, and the answer's `page` says which.
 */
export function rangeOf(total: number, { page, limit }: Asked): PageRange {
  const there = Math.min(page, Math.max(1, Math.ceil(total / limit)));
  return { total, page: there, limit, offset: (there - 1) * limit };
}

/** The same of what a query finds. */
export async function pageRange<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
  asked: Asked,
): Promise<PageRange> {
  // Whatever tables it joins: what is counted are its rows.
  const rows = query as unknown as SelectQueryBuilder<Tables, 'school', object>;
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return rangeOf(total, asked);
}

export interface Page<Row> {
  list: Row[];
  total: number;
  page: number;
  limit: number;
}

export const asPage = <Row>(list: Row[], { total, page, limit }: PageRange): Page<Row> => ({
  list,
  total,
  page,
  limit,
});
