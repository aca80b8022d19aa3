/**
 * Passes rows and ids to a statement as one JSON value, so that the SQL text does not depend on their number and
 * thousands fit. Two examples:
 *
 * `query.where('report.id', 'in', inIds(db, reportIds))`
 *
 * `db.selectFrom(valuesTable(db, { id: 'integer', name: 'text' }, rows)).select(['given.id', 'given.name'])`
 */
import { type AliasedRawBuilder, type Expression, type RawBuilder, sql } from 'kysely';
import { type Database, isSqlite } from './engine.ts';

type ColumnType = 'text' | 'integer';
export type Columns = Readonly<Record<string, ColumnType>>;
type RowOf<C extends Columns> = { [Name in keyof C]: C[Name] extends 'text' ? string : number };

export type Rows<C extends Columns> = readonly { readonly [Name in keyof C]: RowOf<C>[Name] | null }[];

/** Returns the rows as a table named `given`. Values may be null, although the column types do not say so. */
export const valuesTable = <const C extends Columns>(
  db: Database,
  columns: C,
  rows: Rows<C>,
): AliasedRawBuilder<RowOf<C>, 'given'> => jsonTable(db, columns, jsonRows(db, columns, rows));

/** Encodes rows as one JSON value for `selectJsonRows`. */
export function jsonRows<const C extends Columns>(db: Database, columns: C, rows: Rows<C>): string {
  const names = Object.keys(columns);
  // Replaces lone surrogates (half a character), which PostgreSQL rejects.
  const kept = (value: unknown) => (typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value);
  return JSON.stringify(
    isSqlite(db)
      ? rows.map((row) => names.map((name) => kept(row[name])))
      : rows.map((row) => Object.fromEntries(names.map((name) => [name, kept(row[name])]))),
  );
}

/** Turns the output of `jsonRows` into a table named `given`. */
function jsonTable<const C extends Columns>(
  db: Database,
  columns: C,
  listed: string | Expression<string>,
): AliasedRawBuilder<RowOf<C>, 'given'> {
  const names = Object.keys(columns);
  if (isSqlite(db)) {
    const list = names.map((name, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`);
    return sql<RowOf<C>>`(select ${sql.join(list)} from json_each(${listed}))`.as('given');
  }
  // `json_to_recordset` parses each row only once, not once per column.
  const list = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] === 'text' ? 'text' : 'bigint')}`);
  return sql<RowOf<C>>`(select * from json_to_recordset(${listed}::json) as each(${sql.join(list)}))`.as('given');
}

/**
 * Selects the rows of `jsonRows` for an insert, in the order of `columnNames`. One parameter is faster than thousands.
 */
export const selectJsonRows = <const C extends Columns>(
  db: Database,
  columns: C,
  listed: string | Expression<string>,
) =>
  db
    .selectFrom(jsonTable(db, columns, listed))
    .select(columnNames(columns) as never[])
    .where(sql.lit(true));

export const columnNames = <const C extends Columns>(columns: C) => Object.keys(columns) as (keyof C & string)[];

/** Returns ids for `in (…)`, as one parameter. */
export const inIds = (db: Database, ids: readonly number[]): RawBuilder<number> => inJsonIds(db, JSON.stringify(ids));

/**
 * Returns ids for `in (…)` that are JSON text already, for a prepared statement. On PostgreSQL they become an array,
 * for which it estimates 10 rows; for JSON it estimates 100, and would scan the whole table for the twenty ids of a
 * page.
 */
export const inJsonIds = (db: Database, listed: string | Expression<string>): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`(select value from json_each(${listed}))`
    : sql<number>`(select unnest(array(
        select value::bigint from json_array_elements_text(${listed}::json) as each(value))) as value)`;

/** Returns ids that are JSON text already, as a table named `given`. */
export const idsTable = (
  db: Database,
  listed: string | Expression<string>,
): AliasedRawBuilder<{ id: number }, 'given'> =>
  sql<{ id: number }>`(select value as id from ${inJsonIds(db, listed)} as listed)`.as('given');

/** Returns texts for `in (…)`, as one parameter. */
export const inTexts = (db: Database, texts: readonly string[]): RawBuilder<string> =>
  isSqlite(db)
    ? sql<string>`(select value from json_each(${JSON.stringify(texts)}))`
    : sql<string>`(select value from json_array_elements_text(${JSON.stringify(texts)}::json) as each(value))`;
