/**
 * Scope of an analysis: one homework, in one class or in all classes that the actor sees. Every query of this folder
 * starts with a scope.
 */

import { inClassOrder, missingClass } from '#server/classes/rules.ts';
import { gradePlace } from '#server/classes/visible.ts';
import type { ScoreMode } from '#server/grading/rules.ts';
import { inYearOfReport } from '#server/homework/report-years.ts';
import { missingHomework, recordsFault } from '#server/homework/rules.ts';
import { findVisibleHomework } from '#server/homework/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import type { Homework } from '#server/schema/database.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';

export interface Scope {
  homework: Homework;
  mode: ScoreMode;
  /** Selected classes in order. The homework was published to each of them. */
  classes: { id: number; name: string }[];
  /**
   * Ids of the selected classes, never an empty list. Undefined for the whole homework, whose queries need no condition
   * on the class.
   */
  classIds: number[] | undefined;
}

interface ScopeRequest {
  homeworkId: number;
  /** Class to select; undefined for all classes. */
  classId?: number | undefined;
}

/**
 * Returns the scope. 404: the actor does not see the homework or the class, or the homework was not published to the
 * class.
 */
export const scopeOf = (db: Database, actor: Actor, request: ScopeRequest): Promise<Scope | Refusal> =>
  memoizePerPage(db, `scope of ${request.homeworkId} in ${request.classId}`, () => askScope(db, actor, request));

async function askScope(db: Database, actor: Actor, { homeworkId, classId }: ScopeRequest): Promise<Scope | Refusal> {
  const homework = await findVisibleHomework(db, actor, homeworkId);
  if (!homework) return missing(missingHomework);
  const classes = await publishedTo(db, actor, homeworkId, classId);
  // No class means that the requested class is wrong: a homework always has a class, and an assistant sees it through
  // one of its classes.
  if (classes.length === 0) return missing(missingClass);
  const whole = classId === undefined && actor.identity === 'teacher';
  return {
    homework,
    mode: homework.is_set_score,
    classes,
    classIds: whole ? undefined : classes.map(({ id }) => id),
  };
}

/** Selects the classes of a homework that the actor sees, or only the given class. */
async function publishedTo(db: Database, actor: Actor, homeworkId: number, classId: number | undefined) {
  let classes = db
    .selectFrom('homework_class')
    .innerJoin('class', 'class.id', 'homework_class.class_id')
    .select(['class.id', 'class.name', gradePlace])
    .where('homework_class.homework_id', '=', homeworkId)
    .where('homework_class.published_at', 'is not', null);
  if (actor.identity === 'assist') classes = classes.where('class.id', 'in', classesAssistedBy(db, actor));
  if (classId !== undefined) classes = classes.where('class.id', '=', classId);
  return inClassOrder(await classes.execute());
}

/**
 * Returns the scope for a call about reports. 404: as in `scopeOf`. 409: the homework is recalled, and its reports are
 * no longer shown.
 */
export async function reportScope(db: Database, actor: Actor, request: ScopeRequest): Promise<Scope | Refusal> {
  const scope = await scopeOf(db, actor, request);
  if (isRefusal(scope)) return scope;
  return refuseFor('conflict', recordsFault(scope.homework)) ?? scope;
}

/** Selects the reports of a scope: one for each student who is expected to submit. */
export function reportsOf(db: Database, { homework, classIds }: Scope) {
  const reports = db.selectFrom('report').where('report.homework_id', '=', homework.id);
  return classIds === undefined ? reports : reports.where('report.class_id', 'in', inIds(db, classIds));
}

export interface ReportCounts {
  expected: number;
  submitted: number;
  graded: number;
}

/** Returns the numbers of reports. Reads stored counters instead of counting reports. */
export const reportCounts = async (db: Database, { homework, classIds }: Scope): Promise<ReportCounts> =>
  classIds === undefined
    ? countsFrom(homework)
    : memoizePerPage(db, `reports of ${homework.id} in ${classIds}`, () => countsOver(db, homework.id, classIds));

async function countsOver(db: Database, homeworkId: number, classIds: number[]): Promise<ReportCounts> {
  const sums = await db
    .selectFrom('homework_class')
    .select((eb) => [
      eb.fn.sum<number>('homework_count').as('homework_count'),
      eb.fn.sum<number>('submitted_homework_count').as('submitted_homework_count'),
      eb.fn.sum<number>('not_revised_homework_count').as('not_revised_homework_count'),
    ])
    .where('homework_id', '=', homeworkId)
    .where('class_id', 'in', inIds(db, classIds))
    .executeTakeFirstOrThrow();
  return countsFrom(sums);
}

const countsFrom = (counters: {
  homework_count: number;
  submitted_homework_count: number;
  not_revised_homework_count: number;
}): ReportCounts => ({
  expected: counters.homework_count,
  submitted: counters.submitted_homework_count,
  graded: counters.submitted_homework_count - counters.not_revised_homework_count,
});

/**
 * Returns a report with the scope of its homework. 404: the actor does not see the report. 409: the homework is
 * recalled.
 */
export async function findVisibleReport(db: Database, actor: Actor, reportId: number) {
  const gone = () => missing(missingHomework);
  const report = await db
    .selectFrom('report')
    .selectAll()
    .where('id', '=', reportId)
    .where(inYearOfReport(reportId))
    .executeTakeFirst();
  if (!report) return gone();
  const scope = await scopeOf(db, actor, { homeworkId: report.homework_id });
  if (isRefusal(scope)) return scope;
  // Checks 404 before 409, so that a user who may not see the report does not learn of the recall.
  if (scope.classIds && !scope.classIds.includes(report.class_id)) return gone();
  return refuseFor('conflict', recordsFault(scope.homework)) ?? { report, scope };
}
