/** Which report comes next, and how many wait. */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesAssistedBy } from '#server/school/reach.ts';
import { reportsSeen } from './visible.ts';

interface SkipOptions {
  /** Only reports of this class. */
  classId: number | undefined;
  /** Reports that were skipped. */
  skip: readonly number[];
}

/**
 * The oldest report of the same homework that waits, then of the other homework, without this one and the skipped
 * ones; null where none is left.
 */
export async function nextReport(
  db: Database,
  actor: Actor,
  here: { reportId: number; homeworkId: number },
  { classId, skip }: SkipOptions,
): Promise<number | null> {
  const waiting = (reach: 'own' | 'courses') => {
    let reports = reportsSeen(db, actor, reach)
      .select('report.id')
      .where('report.status', '=', 2)
      .where('report.id', 'not in', [here.reportId, ...skip])
      .orderBy('report.submit_time')
      .orderBy('report.id')
      .limit(1);
    if (classId !== undefined) reports = reports.where('report.class_id', '=', classId);
    return reports;
  };
  const same = await waiting('courses').where('report.homework_id', '=', here.homeworkId).executeTakeFirst();
  if (same) return same.id;
  const other = await waiting('own')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('homework.status', '=', 1)
    .executeTakeFirst();
  return other?.id ?? null;
}

/** Reports of one homework that wait for the actor, of those handed in: read from the counters. */
export async function pileOfHomework(
  db: Database,
  actor: Actor,
  homeworkId: number,
): Promise<{ waiting_count: number; submitted_count: number }> {
  let counters = db
    .selectFrom('homework_class')
    .where('homework_id', '=', homeworkId)
    .select((eb) => [
      eb.fn.sum<number | null>('not_revised_homework_count').as('waiting'),
      eb.fn.sum<number | null>('submitted_homework_count').as('submitted'),
    ]);
  if (actor.identity === 'assist') counters = counters.where('class_id', 'in', classesAssistedBy(db, actor));
  const { waiting, submitted } = await counters.executeTakeFirstOrThrow();
  return { waiting_count: waiting ?? 0, submitted_count: submitted ?? 0 };
}
