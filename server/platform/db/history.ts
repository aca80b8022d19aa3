import { sql } from 'kysely';
import { type Database, isSqlite } from './engine.ts';
import { valuesTable } from './json-rows.ts';
import { type Placeholders, prepared } from './prepared.ts';

/**
 * Leaves an append-only row: who changed which record, when, from what to what. Nobody signed in,
 * such as the administrator at the command line, is null.
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

/** The same of many records to which one thing was done. */
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

/** Ids that no record of a table ever had, for rows of which there is a history: as many as are asked for, in order. */
export async function unusedIds(
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

/** The action of who looked at a record and changed nothing. */
export const viewed = 'viewed';

/**
 * Of a table from which rows are deleted, each of which leaves a row of history: what makes the next row's id one that
 * none ever had. SQLite would give that of the last deleted row again, and old links would open another record.
 */
export async function unusedId(db: Database, record: string, last: () => Promise<number>): Promise<{ id?: number }> {
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

/** Rows of a record that are looked through for who changed a field: nobody's form is open for longer. */
const rowsBack = 100;

/**
 * Who changed one of these fields of a record last: whoever signed in, looked, or changed something else of it since is
 * not meant. Empty where nobody did, or nobody who was signed in.
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

/** Of a record before and after a change, the fields that it changed. */
export function changedFields<Fields extends object>(before: Fields, after: Fields) {
  const names = (Object.keys(after) as (keyof Fields)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const of = (record: Fields) => Object.fromEntries(names.map((name) => [name, record[name]])) as Partial<Fields>;
  return { names, before: of(before), after: of(after) };
}

/** Rows of one statement. */
const erasedAtOnce = 500;

/**
 * The one way in which history loses anything: of these rows what was written before and after. That it was done, when and
 * by whom stays, and that a row was emptied is kept beside it for ever (`erased_history`, by which the database lets it
 * happen). What was emptied before is passed over; answers how many rows were emptied now.
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
