/** Who sees which report. Every read of reports starts here; what is not seen is 404. */

import { sql } from 'kysely';
import { ofYearOf } from '#server/homework/report-years.ts';
import type { ReportCondition } from '#server/homework/submission.ts';
import { homeworkOf, isSeenHomework } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memo } from '#server/platform/db/page-cache.ts';
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

/** The same of a report that is named: its homework is looked at, not all that the actor sees. */
export function isSeenNamedReport(db: Database, actor: Actor): ReportCondition {
  return (eb) => {
    const homework = db
      .selectFrom('homework')
      .select('homework.id')
      .where('homework.id', '=', sql.ref<number>('report.homework_id'))
      .where(isSeenHomework(db, actor));
    return actor.identity === 'assist'
      ? eb.and([eb.exists(homework), eb('report.class_id', 'in', classesAssistedBy(db, actor))])
      : eb.exists(homework);
  };
}

/** The reports that the actor sees. */
export const reportsSeen = (db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses') =>
  db.selectFrom('report').where(isSeenReport(db, actor, reach));

/** The same for a query that names a report or a homework: that one is looked at, not all that the actor sees. */
export function namedReports(db: Database, actor: Actor) {
  const reports = db
    .selectFrom('homework')
    .innerJoin('report', 'report.homework_id', 'homework.id')
    .where(isSeenHomework(db, actor));
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
  const seen = await memo(db, `report ${reportId}`, () =>
    namedReports(db, actor)
      .select('report.class_id')
      .where('report.id', '=', reportId)
      .where(ofYearOf(reportId))
      .executeTakeFirst(),
  );
  return seen !== undefined && (classId === undefined || seen.class_id === classId);
}
