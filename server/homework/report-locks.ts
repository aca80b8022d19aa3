/** Locks reports before they change, and reads their homework. */
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { inYearOfReport } from './report-years.ts';
import { missingHomework } from './rules.ts';

/**
 * Locks a report until the transaction ends, and reads its homework without a lock: otherwise all students who submit
 * would wait one after the other. A recall or a new deadline commits either before or after.
 */
export async function lockReport(db: Database, reportId: number) {
  const report = await forUpdate(db)(
    db.selectFrom('report').select(reportColumns).where('id', '=', reportId).where(inYearOfReport(reportId)),
  ).executeTakeFirst();
  if (!report) return missing(missingHomework);
  return { homework: await readHomework(db, report.homework_id), report };
}

export const reportColumns = [
  'id',
  'homework_id',
  'class_id',
  'student_id',
  'school_id',
  'status',
  'user_score',
  'changed_at',
] as const;

/** Like `lockReport` for several reports of one homework; undefined if the homework has none of them. */
export async function lockReports(db: Database, homeworkId: number, reportIds: readonly number[]) {
  const reports = await forUpdate(db)(
    db
      .selectFrom('report')
      .select(reportColumns)
      .where('id', 'in', reportIds)
      .where('homework_id', '=', homeworkId)
      // Reports are locked in the same order everywhere, to avoid deadlocks.
      .orderBy('id'),
  ).execute();
  if (reports.length === 0) return undefined;
  return {
    homework: await readHomework(db, homeworkId),
    reports: new Map(reports.map((report) => [report.id, report])),
  };
}
export type LockedReport = Exclude<Awaited<ReturnType<typeof lockReport>>, Refusal>['report'];

const readHomework = (db: Database, homeworkId: number) =>
  db
    .selectFrom('homework')
    .select(['id', 'status', 'ending_time', 'is_set_score'])
    .where('id', '=', homeworkId)
    .executeTakeFirstOrThrow();
