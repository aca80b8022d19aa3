/** Grading queue of homework: the next report, and how many reports are left. */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import { visibleReports, visibleReportsById } from './visible.ts';

interface SkipOptions {
  /** Restricts the queue to a class. */
  classId: number | undefined;
  /** Reports that the grader skipped. */
  skip: readonly number[];
}

/**
 * Returns the oldest ungraded report of the same homework, else of other homework. Leaves out the current report and
 * the skipped ones. Null if no report is left.
 */
export async function nextReport(
  db: Database,
  actor: Actor,
  current: { reportId: number; homeworkId: number },
  { classId, skip }: SkipOptions,
): Promise<number | null> {
  const oldest = async (reports: ReturnType<typeof visibleReportsById>): Promise<number | undefined> => {
    let waiting = reports
      .select('report.id')
      .where('report.status', '=', 2)
      .where('report.id', 'not in', [current.reportId, ...skip])
      .orderBy('report.submit_time')
      .orderBy('report.id')
      .limit(1);
    if (classId !== undefined) waiting = waiting.where('report.class_id', '=', classId);
    return (await waiting.executeTakeFirst())?.id;
  };
  const same = await oldest(visibleReportsById(db, actor).where('homework.id', '=', current.homeworkId));
  if (same !== undefined) return same;
  const others = visibleReports(db, actor, 'own')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('homework.status', '=', 1);
  return (await oldest(others)) ?? null;
}

/**
 * Reads how many reports of the homework are ungraded, and how many are submitted, from its stored counters. An
 * assistant's numbers cover the classes that they assist.
 */
export async function gradingQueueOf(
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
