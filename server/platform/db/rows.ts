/** Writes many rows of a table in one statement. test/lib/tables.test.ts reads from the calls which table that is. */
import { sql } from 'kysely';
import type { Database } from './engine.ts';
import { type Columns, columnNames, inIds, type Rows, valuesTable } from './json-rows.ts';
import type { Tables } from './schema.ts';

export type Table = keyof Tables & string;

/** Only columns that the table has. */
type Of<T extends Table, C extends Columns> = {
  readonly [Name in keyof C]: Name extends keyof Tables[T] ? C[Name] : never;
};

/** `known`: the columns by which a row is there already; of such a row `set` are set. */
interface Conflict<C extends Columns> {
  known: readonly (keyof C & string)[];
  set: readonly (keyof C & string)[];
}

export async function insertRows<T extends Table, const C extends Columns>(
  db: Database,
  table: T,
  columns: C & Of<T, C>,
  rows: Rows<C>,
  conflict?: Conflict<C>,
): Promise<void> {
  if (rows.length === 0) return;
  const names = listed(columnNames(columns));
  const update = conflict?.set.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`) ?? [];
  const instead = update.length > 0 ? sql`update set ${sql.join(update)}` : sql`nothing`;
  // SQLite takes the words of a conflict for those of a join without a condition.
  await sql`insert into ${sql.table(table)} (${names}) select ${names} from ${valuesTable(db, columns, rows)} where true
    ${conflict ? sql`on conflict (${listed(conflict.known)}) do ${instead}` : sql``}`.execute(db);
}

/** Sets every column but the first, by which a row is found. */
export async function updateRows<T extends Table, const C extends Columns>(
  db: Database,
  table: T,
  columns: C & Of<T, C>,
  rows: Rows<C>,
): Promise<void> {
  if (rows.length === 0) return;
  const [key = '', ...names] = columnNames(columns);
  const set = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} from ${valuesTable(db, columns, rows)}
    where ${sql.ref(`${table}.${key}`)} = ${sql.ref(`given.${key}`)}`.execute(db);
}

/** Deletes the rows that have the same values in these columns. The first is a number that an index holds. */
export async function deleteRows<T extends Table, const C extends Columns>(
  db: Database,
  table: T,
  columns: C & Of<T, C>,
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

const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
