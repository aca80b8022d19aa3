/** Counters of submitted and ungraded reports, of a homework and of its classes. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';

interface CounterChange {
  report: { homework_id: number; class_id: number };
  by: { submitted: number; waiting: number };
}

/**
 * Adds amounts (may be negative) to the counters of a homework and of its classes. Locks the homework before its
 * classes. Call it last in a transaction: other submissions wait for these rows until the commit.
 */
export async function changeCounters(db: Database, changes: readonly CounterChange[]): Promise<void> {
  const homeworkId = changes[0]?.report.homework_id ?? 0;
  const increments = (group: readonly CounterChange[]) => {
    const sum = (column: keyof CounterChange['by']) => group.reduce((all, { by }) => all + by[column], 0);
    return {
      submitted_homework_count: sql<number>`submitted_homework_count + ${sum('submitted')}`,
      not_revised_homework_count: sql<number>`not_revised_homework_count + ${sum('waiting')}`,
    };
  };
  await db.updateTable('homework').set(increments(changes)).where('id', '=', homeworkId).execute();
  const byClass = [...groupRows(changes, ({ report }) => report.class_id)].sort(([one], [other]) => one - other);
  for (const [classId, group] of byClass) {
    await db
      .updateTable('homework_class')
      .set(increments(group))
      .where('homework_id', '=', homeworkId)
      .where('class_id', '=', classId)
      .execute();
  }
}
