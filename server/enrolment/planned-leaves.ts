/** Students leave their class on the day that was known before; their open homework goes to the class that they are in. */
import { setTimeout as pause } from 'node:timers/promises';
import { followStudents } from '#server/homework/report-transfer.ts';
import type { BackgroundWork } from '#server/platform/background/work.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Services } from '#server/school/context.ts';
import { applyPlannedLeaves } from './stays.ts';

/** Memberships that end in one transaction, and milliseconds between two: at the end of a term a whole school leaves. */
const batch = 500;
const rest = 50;

/** Within the transaction in which these students left their classes. */
const follow = (db: Database, stays: readonly { class_id: number; student_id: number }[], now: number) =>
  followStudents(db, { actor: null, now }, stays, 'from');

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
      const some = await applyPlannedLeaves(db, { now: now(), most: batch, follow });
      left += some;
      if (some < batch) break;
      await pause(rest);
    }
    if (left > 0) log.info({ left }, 'students left their classes on their day');
  },
});
