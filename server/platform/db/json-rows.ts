/**
 * Passes rows and ids to a statement as one value of JSON, so that its text is the same whatever their number, and
 * thousands of them fit. Two examples:
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

/** Rows as the table `given`. A value may be null, which the type of its column does not say. */
export const valuesTable = <const C extends Columns>(
  db: Database,
  columns: C,
  rows: Rows<C>,
): AliasedRawBuilder<RowOf<C>, 'given'> => jsonTable(db, columns, jsonRows(db, columns, rows));

/** Rows as one value of JSON, for `selectJsonRows`. */
export function jsonRows<const C extends Columns>(db: Database, columns: C, rows: Rows<C>): string {
  const names = Object.keys(columns);
  // Half a character is none on PostgreSQL.
  const kept = (value: unknown) => (typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value);
  return JSON.stringify(
    isSqlite(db)
      ? rows.map((row) => names.map((name) => kept(row[name])))
      : rows.map((row) => Object.fromEntries(names.map((name) => [name, kept(row[name])]))),
  );
}

/** Rows of `jsonRows` as the table `given`. */
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
  // Each row is read once, not once for each of its columns.
  const list = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name] === 'text' ? 'text' : 'bigint')}`);
  return sql<RowOf<C>>`(select * from json_to_recordset(${listed}::json) as each(${sql.join(list)}))`.as('given');
}

/**
 * Rows of `jsonRows` to be inserted into the columns of `columnNames`, in their order: one value is read faster than
 * thousands.
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

/** Ids for `in`, as one value. */
export const inIds = (db: Database, ids: readonly number[]): RawBuilder<number> => inJsonIds(db, JSON.stringify(ids));

/**
 * Ids that are JSON already, for a prepared statement. PostgreSQL expects ten values of an array and a hundred of JSON; for a
 * hundred ids it reads a table whole where twenty of a page are asked for.
 */
export const inJsonIds = (db: Database, listed: string | Expression<string>): RawBuilder<number> =>
  isSqlite(db)
    ? sql<number>`(select value from json_each(${listed}))`
    : sql<number>`(select unnest(array(
        select value::bigint from json_array_elements_text(${listed}::json) as each(value))) as value)`;

/** Ids that are JSON already, as the table `given`. */
export const idsTable = (
  db: Database,
  listed: string | Expression<string>,
): AliasedRawBuilder<{ id: number }, 'given'> =>
  sql<{ id: number }>`(select value as id from ${inJsonIds(db, listed)} as listed)`.as('given');

/** Texts for `in`, as one value. */
export const inTexts = (db: Database, texts: readonly string[]): RawBuilder<string> =>
  isSqlite(db)
    ? sql<string>`(select value from json_each(${JSON.stringify(texts)}))`
    : sql<string>`(select value from json_array_elements_text(${JSON.stringify(texts)}::json) as each(value))`;
