/**
 * Bulk insert, update and delete in one statement each. test/lib/tables.test.ts finds a table's writers by these calls.
 */
import { sql } from 'kysely';
import type { Database } from './engine.ts';
import { type Columns, columnNames, inIds, type Rows, valuesTable } from './json-rows.ts';
import type { Tables } from './schema.ts';

export type Table = keyof Tables & string;

type ColumnValues<T extends Table, C extends Columns> = {
  readonly [Name in keyof C]: Name extends keyof Tables[T] ? C[Name] : never;
};

/** Upsert: if a row conflicts in the `known` columns, its `set` columns are updated. */
interface Conflict<C extends Columns> {
  known: readonly (keyof C & string)[];
  set: readonly (keyof C & string)[];
}

export async function insertRows<T extends Table, const C extends Columns>(
  db: Database,
  table: T,
  columns: C & ColumnValues<T, C>,
  rows: Rows<C>,
  conflict?: Conflict<C>,
): Promise<void> {
  if (rows.length === 0) return;
  const names = columnList(columnNames(columns));
  const update = conflict?.set.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`) ?? [];
  const instead = update.length > 0 ? sql`update set ${sql.join(update)}` : sql`nothing`;
  // Without `where true`, SQLite would parse `on conflict` as a join condition.
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${valuesTable(db, columns, rows)} where true
    ${conflict ? sql`on conflict (${columnList(conflict.known)}) do ${instead}` : sql``}`.execute(db);
}

/** Updates rows that the first column identifies; sets all other columns. */
export async function updateRows<T extends Table, const C extends Columns>(
  db: Database,
  table: T,
  columns: C & ColumnValues<T, C>,
  rows: Rows<C>,
): Promise<void> {
  if (rows.length === 0) return;
  const [key = '', ...names] = columnNames(columns);
  const set = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} from ${valuesTable(db, columns, rows)}
    where ${sql.ref(`${table}.${key}`)} = ${sql.ref(`given.${key}`)}`.execute(db);
}

/** Deletes rows with the same values in these columns. The first must be a number with an index. */
export async function deleteRows<T extends Table, const C extends Columns>(
  db: Database,
  table: T,
  columns: C & ColumnValues<T, C>,
  rows: Rows<C>,
): Promise<void> {
  if (rows.length === 0) return;
  const [key = '', ...more] = columnNames(columns);
  const keys = inIds(db, [...new Set(rows.map((row) => Number(row[key as keyof C])))]);
  const same = [key, ...more].map((name) => sql`${sql.ref(`given.${name}`)} = ${sql.ref(`${table}.${name}`)}`);
  const alike = sql`and exists (select 1 from ${valuesTable(db, columns, rows)} where ${sql.join(same, sql` and `)})`;
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in ${keys} ${more.length > 0 ? alike : sql``}`.execute(
    db,
  );
}

const columnList = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
