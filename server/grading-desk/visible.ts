/** Visibility of reports. Every read of reports starts here; a report that is not visible is 404. */

import { sql } from 'kysely';
import type { ReportCondition } from '#server/homework/report-grading.ts';
import { inYearOfReport } from '#server/homework/report-years.ts';
import { isVisibleHomework, visibleHomeworkIds } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';

/**
 * Condition for reports of homework that the actor sees; `reach` as in `visibleHomeworkIds`. An assistant sees the reports of
 * the classes that they assist.
 */
export function isVisibleReport(db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses'): ReportCondition {
  return (eb) => {
    const ofHomework = eb('report.homework_id', 'in', visibleHomeworkIds(db, actor, reach));
    return actor.identity === 'assist'
      ? eb.and([ofHomework, eb('report.class_id', 'in', classesAssistedBy(db, actor))])
      : ofHomework;
  };
}

/**
 * Like `isVisibleReport`, for a query of few reports: checks only the homework of these reports, instead of listing all
 * visible homework.
 */
export function isVisibleReportById(db: Database, actor: Actor): ReportCondition {
  return (eb) => {
    const homework = db
      .selectFrom('homework')
      .select('homework.id')
      .where('homework.id', '=', sql.ref<number>('report.homework_id'))
      .where(isVisibleHomework(db, actor));
    return actor.identity === 'assist'
      ? eb.and([eb.exists(homework), eb('report.class_id', 'in', classesAssistedBy(db, actor))])
      : eb.exists(homework);
  };
}

export const visibleReports = (db: Database, actor: Actor, reach: 'own' | 'courses' = 'courses') =>
  db.selectFrom('report').where(isVisibleReport(db, actor, reach));

/**
 * Selects visible reports like `visibleReports`, for a query by report id or homework id: checks only the homework of
 * the query.
 */
export function visibleReportsById(db: Database, actor: Actor) {
  const reports = db
    .selectFrom('homework')
    .innerJoin('report', 'report.homework_id', 'homework.id')
    .where(isVisibleHomework(db, actor));
  return actor.identity === 'assist' ? reports.where('report.class_id', 'in', classesAssistedBy(db, actor)) : reports;
}

/** True if the actor sees the report; with `classId`, only if the report belongs to that class. */
export async function canSeeReport(
  db: Database,
  actor: Actor,
  reportId: number | undefined,
  classId?: number | undefined,
): Promise<boolean> {
  if (reportId === undefined) return false;
  const report = await memoizePerPage(db, `report ${reportId}`, () =>
    visibleReportsById(db, actor)
      .select('report.class_id')
      .where('report.id', '=', reportId)
      .where(inYearOfReport(reportId))
      .executeTakeFirst(),
  );
  return report !== undefined && (classId === undefined || report.class_id === classId);
}
