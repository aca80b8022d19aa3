import type { Database } from './engine.ts';

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
  await db
    .insertInto('history')
    .values({
      at: change.now,
      staff_id: change.actor?.id ?? null,
      record: change.record,
      record_id: change.recordId,
      action: change.action,
      before: change.before === null ? null : JSON.stringify(change.before),
      after: change.after === null ? null : JSON.stringify(change.after),
    })
    .execute();
}

/** Who changed a record last; empty where nobody did, or nobody who was signed in. */
export async function lastChangedBy(db: Database, record: string, recordId: number): Promise<string> {
  const found = await db
    .selectFrom('history')
    .leftJoin('staff', 'staff.id', 'history.staff_id')
    .select('staff.real_name')
    .where('history.record', '=', record)
    .where('history.record_id', '=', recordId)
    .orderBy('history.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.real_name ?? '';
}

/** Of a record before and after a change, the fields that it changed. */
export function changedFields<Fields extends object>(before: Fields, after: Fields) {
  const names = (Object.keys(after) as (keyof Fields)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const of = (record: Fields) => Object.fromEntries(names.map((name) => [name, record[name]])) as Partial<Fields>;
  return { names, before: of(before), after: of(after) };
}
