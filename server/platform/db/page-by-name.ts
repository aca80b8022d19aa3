/** Rows that are found by their name: it says what was typed, or is spelled by it (server/platform/text/pinyin.ts). */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Page } from '#server/platform/calls/rules.ts';
import { plainName } from '#server/platform/text/name-matching.ts';
import { spelledBy, spelling } from '#server/platform/text/pinyin.ts';
import { type Ordered, type Paging, pageOf } from './page.ts';
import { named } from './search.ts';

/** The characters of a name that were spelled, from the first to behind the last; null where it says what was typed. */
type Spelled = [from: number, to: number] | null;

type Found<Row> = Omit<Row, 'pinyin'> & { spelled: Spelled };

/** The columns that have the name, and how it may be read. */
interface Columns {
  name: string;
  pinyin: string;
}

/** A page of the rows that are called so, in the order that `rows` gives them. */
export async function pageByName<DB, TB extends keyof DB, Row extends { pinyin: string }>(
  seen: SelectQueryBuilder<DB, TB, object>,
  columns: Columns,
  text: string,
  paging: Paging,
  rows: (found: SelectQueryBuilder<DB, TB, object>) => Ordered<Row> & { execute(): Promise<Row[]> },
  nameOf: (row: Row) => string,
): Promise<Page<Found<Row>>> {
  const as = ({ pinyin: _, ...row }: Row, spelled: Spelled): Found<Row> => ({ ...row, spelled });
  const letters = spelling(text);
  const says = named(columns.name, text);
  if (!letters) {
    const called = seen.where(says);
    const { list, ...range } = await pageOf(called, paging, rows(called));
    return { list: list.map((row) => as(row, null)), ...range };
  }
  // No engine knows spellings: whatever has these letters in this order is read, and held against them.
  const likely = sql<SqlBool>`${sql.ref(columns.pinyin)} like ${`%${[...letters].join('%')}%`}`;
  const candidates = await rows(seen.where(sql<SqlBool>`(${says} or ${likely})`)).execute();
  const sought = plainName(text);
  const found = candidates.flatMap((row): Found<Row>[] => {
    if (plainName(nameOf(row)).includes(sought)) return [as(row, null)];
    const spelled = spelledBy(row.pinyin, letters);
    return spelled ? [as(row, spelled)] : [];
  });
  return pageOf(found.length, paging, ({ limit, offset }) => found.slice(offset, offset + limit));
}
