/**
 * Pages of rows searched by name: the name contains the text, or its pinyin spells it (server/platform/text/pinyin.ts).
 */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Page } from '#server/platform/calls/rules.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import { findPinyinMatch, pinyinLetters } from '#server/platform/text/pinyin.ts';
import { type OrderedQuery, type Paging, pageOf } from './page.ts';
import { nameContains } from './search.ts';

/**
 * Range of characters in the name that the typed pinyin spells, end exclusive; null if the name contains the typed text
 * itself.
 */
type PinyinMatch = [from: number, to: number] | null;

type MatchedRow<Row> = Omit<Row, 'pinyin'> & { spelled: PinyinMatch };

/** Names of the column with the name and of the column with its pinyin. */
interface Columns {
  name: string;
  pinyin: string;
}

/** Returns one page of the rows whose name matches, in the order of `rows`. */
export async function pageByName<DB, TB extends keyof DB, Row extends { pinyin: string }>(
  seen: SelectQueryBuilder<DB, TB, object>,
  columns: Columns,
  text: string,
  paging: Paging,
  rows: (found: SelectQueryBuilder<DB, TB, object>) => OrderedQuery<Row> & { execute(): Promise<Row[]> },
  nameOf: (row: Row) => string,
): Promise<Page<MatchedRow<Row>>> {
  const as = ({ pinyin: _, ...row }: Row, spelled: PinyinMatch): MatchedRow<Row> => ({ ...row, spelled });
  const letters = pinyinLetters(text);
  const says = nameContains(columns.name, text);
  if (!letters) {
    const called = seen.where(says);
    const { list, ...range } = await pageOf(called, paging, rows(called));
    return { list: list.map((row) => as(row, null)), ...range };
  }
  // SQL cannot match pinyin, so it selects rows that have these letters in this order; the code below checks them.
  const likely = sql<SqlBool>`${sql.ref(columns.pinyin)} like ${`%${[...letters].join('%')}%`}`;
  const candidates = await rows(seen.where(sql<SqlBool>`(${says} or ${likely})`)).execute();
  const sought = normalizeName(text);
  const found = candidates.flatMap((row): MatchedRow<Row>[] => {
    if (normalizeName(nameOf(row)).includes(sought)) return [as(row, null)];
    const spelled = findPinyinMatch(row.pinyin, letters);
    return spelled ? [as(row, spelled)] : [];
  });
  return pageOf(found.length, paging, ({ limit, offset }) => found.slice(offset, offset + limit));
}
