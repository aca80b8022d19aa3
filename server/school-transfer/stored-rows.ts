/** Reads the rows of a school from a database page by page, to move or remove them. */
import { type RawBuilder, sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { keyPattern } from '#server/platform/files/storage-key.ts';
import type { Shape, Table } from './table-shapes.ts';

/** Why a move is refused, as a sentence. No row has changed. */
export class MoveError extends Error {}

export type Row = Record<string, string | number | null>;
export type Shapes = ReadonlyMap<Table, Shape>;
export type Ids = Map<Table, Set<number>>;

/** Rows per statement. */
export const rowsPerStatement = 400;

export const nameOfSchool = async (db: Database, id: number) =>
  (await db.selectFrom('school').select('org_name').where('id', '=', id).executeTakeFirst())?.org_name;

const historyColumns: Partial<Record<Table, string>> = { history: 'id', erased_history: 'history_id' };

/** Adds an offset to the ids of history rows; rows of other tables keep their ids. */
export function shiftHistoryIds(rows: Row[], table: Table, shift: number): Row[] {
  const column = historyColumns[table];
  return column === undefined ? rows : rows.map((row) => ({ ...row, [column]: Number(row[column]) + shift }));
}

export const rawCondition = (condition: string) => sql.raw<boolean>(`(${condition})`);

export async function idsOf(db: Database, query: RawBuilder<{ id: number }>): Promise<number[]> {
  return (await query.execute(db)).rows.map(({ id }) => id);
}

/** Keyset pagination: yields rows by key, `rowsPerStatement` at a time. */
export async function* pagesOf(
  db: Database,
  table: Table,
  { key }: Shape,
  condition: RawBuilder<boolean>,
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const after = last
      ? sql`and (${columns}) > (${sql.join(key.map((column) => sql`${(last as Row)[column]}`))})`
      : sql``;
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${condition} ${after}
      order by ${columns} limit ${sql.lit(rowsPerStatement)}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerStatement) return;
    last = rows.at(-1);
  }
}

export const keyOf = (row: Row, key: readonly string[]) => key.map((column) => row[column]).join(' ');

/** Returns the stored rows that have the keys of `rows`, by `stayKey`. */
export async function storedRows(
  db: Database,
  table: Table,
  key: readonly string[],
  rows: readonly Row[],
): Promise<Map<string, Row>> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(key.map((column) => sql`${row[column]}`))})`);
  const { rows: found } = await sql<Row>`select * from ${sql.table(table)}
    where (${columns}) in (${isSqlite(db) ? sql`values ` : sql``}${sql.join(values)})`.execute(db);
  return new Map(found.map((row) => [keyOf(row, key), row]));
}

/** Returns the storage keys that any column of a row names. */
export function storageKeysIn(row: Row): string[] {
  const text = JSON.stringify(row);
  return text.includes('/') ? [...text.matchAll(new RegExp(keyPattern, 'g'))].map(([key]) => key) : [];
}
