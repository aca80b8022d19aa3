/**
 * Rows that a statement is given: thousands of them are one value, to be inserted or joined in one statement, whose text
 * is the same whatever their number.
 */
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import type { Database } from './engine.ts';
import { isSqlite } from './search.ts';

type ColumnType = 'text' | 'integer';
export type Columns = Readonly<Record<string, ColumnType>>;
type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends 'text' ? string : number };

export type Rows<C extends Columns> = readonly { readonly [Name in keyof C]: RowOf<C>[Name] | null }[];

/** As the table `given`. A column is null where a row has it so; what is read of it says nothing of that. */
export const given = <const C extends Columns>(
  db: Database,
  columns: C,
  rows: Rows<C>,
): AliasedRawBuilder<RowOf<C>, 'given'> => givenListed(db, columns, listedRows(db, columns, rows));

/** Rows as one value of JSON, for `givenListed`. */
export function listedRows<const C extends Columns>(db: Database, columns: C, rows: Rows<C>): string {
  const names = Object.keys(columns);
  // Half a character is none on PostgreSQL.
  const kept = (value: unknown) => (typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value);
  return JSON.stringify(
    isSqlite(db)
      ? rows.map((row) => names.map((name) => kept(row[name])))
      : rows.map((row) => Object.fromEntries(names.map((name) => [name, kept(row[name])]))),
  );
}

/** The same where the rows are written as `listedRows` does already: for a statement that is built once. */
function givenListed<const C extends Columns>(
  db: Database,
  columns: C,
  listed: string,
): AliasedRawBuilder<RowOf<C>, 'given'> {
  const names = Object.keys(columns);
  if (isSqlite(db)) {
    const list = names.map((name, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`);
    return sql<RowOf<C>>`(select ${sql.join(list)} from json_each(${listed}))`.as('given');
  }
  // Each row is read once, not once for each of its columns.
  const list = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] === 'text' ? 'text' : 'bigint')}`);
  return sql<RowOf<C>>`(select * from json_to_recordset(${listed}::json) as each(${sql.join(list)}))`.as('given');
}

/**
 * What a table is given as its rows, in the order of `namesOf`, written by `listedRows`: thousands of values one by one take
 * longer to be read.
 */
export const givenRows = <const C extends Columns>(db: Database, columns: C, listed: string) =>
  db
    .selectFrom(givenListed(db, columns, listed))
    .select(namesOf(columns) as never[])
    .where(sql.lit(true));

export const namesOf = <const C extends Columns>(columns: C) => Object.keys(columns) as (keyof C & string)[];

/** For `in`: these ids, as one value. */
export const among = (db: Database, ids: readonly number[]): RawBuilder<number> => amongListed(db, JSON.stringify(ids));

/**
 * The same, where the ids are written as JSON already: for a statement that is built once. PostgreSQL takes an array for ten
 * values and JSON for a hundred, and for a hundred ids it reads a table whole where twenty of a page are asked for.
 */
export const amongListed = (db: Database, listed: string): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`(select value from json_each(${listed}))`
    : sql<number>`(select unnest(array(
        select value::bigint from json_array_elements_text(${listed}::json) as each(value))) as value)`;

/** Ids that are written as JSON, as the table `given`. */
export const givenIds = (db: Database, listed: string): AliasedRawBuilder<{ id: number }, 'given'> =>
  sql<{ id: number }>`(select value as id from ${amongListed(db, listed)} as listed)`.as('given');

/** The same of texts. */
export const amongTexts = (db: Database, texts: readonly string[]): RawBuilder<string> =>
  isSqlite(db)
    ? sql<string>`(select value from json_each(${JSON.stringify(texts)}))`
    : sql<string>`(select value from json_array_elements_text(${JSON.stringify(texts)}::json) as each(value))`;
