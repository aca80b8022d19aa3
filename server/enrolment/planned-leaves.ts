/**
 * Background job that ends enrolments on their planned last day. Open homework moves to the student's remaining class.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { moveReportsWithStudents } from '#server/homework/report-transfer.ts';
import type { BackgroundWork } from '#server/platform/background/work.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Services } from '#server/school/context.ts';
import { applyPlannedLeaves } from './stays.ts';

/**
 * Enrolments per transaction, and the pause between two transactions in milliseconds: at the end of a term a whole
 * school leaves at once.
 */
const batch = 500;
const rest = 50;

/** Runs in the transaction that ends the enrolments: moves open homework along. */
const moveHomework = (db: Database, stays: readonly { class_id: number; student_id: number }[], now: number) =>
  moveReportsWithStudents(db, { actor: null, now }, stays, 'from');

export const plannedLeavesJob = ({
  database: { db },
  now,
  log,
}: Pick<Services, 'database' | 'now' | 'log'>): BackgroundWork => ({
  kind: 'leaving',
  every: 60,
  async run() {
    let left = 0;
    for (;;) {
      const some = await applyPlannedLeaves(db, { now: now(), most: batch, follow: moveHomework });
      left += some;
      if (some < batch) break;
      await pause(rest);
    }
    if (left > 0) log.info({ left }, 'students left their classes on their day');
  },
});
