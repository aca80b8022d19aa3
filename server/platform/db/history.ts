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
