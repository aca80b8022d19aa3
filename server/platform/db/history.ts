import { sql } from 'kysely';
import { type Database, isSqlite } from './engine.ts';
import { valuesTable } from './json-rows.ts';
import { type Placeholders, prepared } from './prepared.ts';

/**
 * Appends a row to the audit history: who changed which record, when, the fields before and after. `actor` is null if
 * nobody is signed in, such as on the command line.
 */
export async function recordHistory(
  db: Database,
  change: {
    actor: { id: number } | null;
    now: number;
    record: string;
    recordId: number;
    action: string;
    before: unknown;
    after: unknown;
  },
): Promise<void> {
  await addHistory(db, {
    at: change.now,
    staff_id: change.actor?.id ?? null,
    record: change.record,
    record_id: change.recordId,
    action: change.action,
    before: change.before === null ? null : JSON.stringify(change.before),
    after: change.after === null ? null : JSON.stringify(change.after),
  });
}

interface Change {
  recordId: number;
  before: unknown;
  after: unknown;
}

/** Appends a history row with the same change for each of many records. */
export async function recordHistoryOfMany(
  db: Database,
  {
    actor,
    now,
    record,
    action,
    changes,
  }: { actor: { id: number } | null; now: number; record: string; action: string; changes: readonly Change[] },
): Promise<void> {
  if (changes.length === 0) return;
  const columns = { record_id: 'integer', before: 'text', after: 'text' } as const;
  const rows = changes.map(({ recordId, before, after }) => ({
    record_id: recordId,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  }));
  await db
    .insertInto('history')
    .columns(['at', 'staff_id', 'record', 'record_id', 'action', 'before', 'after'])
    .expression((eb) =>
      eb
        .selectFrom(valuesTable(db, columns, rows))
        .select([
          sql<number>`${sql.lit(now)}`.as('at'),
          sql<number | null>`${sql.lit(actor?.id ?? null)}`.as('staff_id'),
          sql<string>`${sql.lit(record)}`.as('record'),
          'given.record_id',
          sql<string>`${sql.lit(action)}`.as('action'),
          'given.before',
          'given.after',
        ]),
    )
    .execute();
}

/**
 * Returns `count` ids that no record of the table ever had, in ascending order. Ids of deleted records are not used
 * again, because history rows refer to them.
 */
export async function newRecordIds(
  db: Database,
  { table, record, count }: { table: string; record: string; count: number },
): Promise<number[]> {
  if (count === 0) return [];
  if (!isSqlite(db)) {
    const { rows } = await sql<{ id: string | number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${sql.lit(count)})`.execute(
      db,
    );
    return rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
  }
  const { rows } = await sql<{ last: number }>`
    select max(
      coalesce((select max(id) from ${sql.table(table)}), 0),
      coalesce((select max(record_id) from history where record = ${record}), 0)
    ) as last`.execute(db);
  const last = rows[0]?.last ?? 0;
  return Array.from({ length: count }, (_, at) => last + at + 1);
}

/** History action for somebody who viewed a record without changing it. */
export const viewAction = 'viewed';

/**
 * Returns an explicit id for the next row of a table whose rows can be deleted, or {} if the automatic id is a new one.
 * SQLite would use the id of a deleted last row again, and old links would open another record.
 */
export async function newRecordId(db: Database, record: string, last: () => Promise<number>): Promise<{ id?: number }> {
  if (!isSqlite(db)) return {};
  const { known } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.max<number | null>('record_id').as('known'))
    .where('record', '=', record)
    .executeTakeFirstOrThrow();
  return known !== null && known > (await last()) ? { id: known + 1 } : {};
}

interface HistoryRow {
  at: number;
  staff_id: number | null;
  record: string;
  record_id: number;
  action: string;
  before: string | null;
  after: string | null;
}

const addHistory = prepared((db, row: Placeholders<HistoryRow>) => db.insertInto('history').values(row));

/** Number of latest history rows that are searched. No form is open for so long that more would matter. */
const rowsBack = 100;

/**
 * Returns the name of the person who last changed one of these fields; '' if nobody did or the author was not signed
 * in. Ignores sign-ins, views and changes of other fields.
 */
export async function lastChangedBy(
  db: Database,
  record: string,
  recordId: number,
  fields: readonly string[],
): Promise<string> {
  const rows = await db
    .selectFrom('history')
    .leftJoin('staff', 'staff.id', 'history.staff_id')
    .select(['staff.real_name', 'history.after'])
    .where('history.record', '=', record)
    .where('history.record_id', '=', recordId)
    .where('history.after', 'is not', null)
    .orderBy('history.id', 'desc')
    .limit(rowsBack)
    .execute();
  const last = rows.find(({ after }) => {
    const written: object = JSON.parse(after ?? '{}') ?? {};
    return fields.some((field) => field in written);
  });
  return last?.real_name ?? '';
}

/** Returns the fields that differ between two versions of a record, with their values before and after. */
export function changedFields<Fields extends object>(before: Fields, after: Fields) {
  const names = (Object.keys(after) as (keyof Fields)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const of = (record: Fields) => Object.fromEntries(names.map((name) => [name, record[name]])) as Partial<Fields>;
  return { names, before: of(before), after: of(after) };
}

/** Rows per statement. */
const erasedAtOnce = 500;

/**
 * Erases the values before and after from history rows; action, time and author stay. Only this function can remove
 * content from the history: a trigger requires the row that it writes to `erased_history`. Rows erased earlier are
 * skipped. Returns how many rows were erased.
 */
export async function eraseHistory(
  db: Database,
  rows: readonly number[],
  { actor, now, studentId }: { actor: { id: number } | null; now: number; studentId: number },
): Promise<number> {
  let erased = 0;
  for (let from = 0; from < rows.length; from += erasedAtOnce) {
    const part = rows.slice(from, from + erasedAtOnce).map((history_id) => ({
      history_id,
      student_id: studentId,
      staff_id: actor?.id ?? null,
      at: now,
    }));
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('erased_history')
      .values(part)
      .onConflict((known) => known.column('history_id').doNothing())
      .executeTakeFirstOrThrow();
    erased += Number(numInsertedOrUpdatedRows ?? 0n);
  }
  return erased;
}
