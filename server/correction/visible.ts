/** Who sees which report (decisions, section 5). Every read of reports starts here; what is not seen is 404. */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { classesAssistedBy, homeworkOf } from '#server/homework/visible.ts';

/**
 * Reports of the homework that the actor sees; for an assistant those of the classes they assist. The reach of a
 * lecturer is that of `homeworkOf`.
 */
export function reportsSeen(db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses') {
  const reports = db.selectFrom('report').where('report.homework_id', 'in', homeworkOf(db, actor, reach));
  return actor.identity === 'assist' ? reports.where('report.class_id', 'in', classesAssistedBy(db, actor)) : reports;
}

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
