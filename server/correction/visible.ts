/** Who sees which report. Every read of reports starts here; what is not seen is 404. */

import type { ReportCondition } from '#server/homework/submission.ts';
import { homeworkOf } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesAssistedBy } from '#server/school/reach.ts';

/**
 * Whether a report is one of the homework that the actor sees; for an assistant also of the classes they assist. The
 * reach of a lecturer is that of `homeworkOf`.
 */
export function isSeenReport(db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses'): ReportCondition {
  return (eb) => {
    const ofHomework = eb('report.homework_id', 'in', homeworkOf(db, actor, reach));
    return actor.identity === 'assist'
      ? eb.and([ofHomework, eb('report.class_id', 'in', classesAssistedBy(db, actor))])
      : ofHomework;
  };
}

/** The reports that the actor sees. */
export const reportsSeen = (db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses') =>
  db.selectFrom('report').where(isSeenReport(db, actor, reach));

/** Whether the actor sees a report; with a class, only where it is handed in from that class. */
export async function seesReport(
  db: Database,
  actor: Actor,
  reportId: number | undefined,
  classId?: number | undefined,
): Promise<boolean> {
  if (reportId === undefined) return false;
  let reports = reportsSeen(db, actor).select('report.id').where('report.id', '=', reportId);
  if (classId !== undefined) reports = reports.where('report.class_id', '=', classId);
  return (await reports.executeTakeFirst()) !== undefined;
}
