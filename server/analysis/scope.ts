/**
 * What an analysis looks at: one homework in one class, or in all the classes that the actor sees of it. Every query of
 * this folder starts here.
 */

import { missingClass } from '#server/classes/rules.ts';
import { ofYearOf } from '#server/homework/report-years.ts';
import { missingHomework, recordsFault, type ScoreMode } from '#server/homework/rules.ts';
import { seenHomework } from '#server/homework/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { memo } from '#server/platform/db/page-cache.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import type { Homework } from '#server/schema/database.ts';
import { classesAssistedBy } from '#server/school/reach.ts';

export interface Scope {
  homework: Homework;
  mode: ScoreMode;
  /** The classes that are looked at, in order; the homework was published to each of them. */
  classes: { id: number; name: string }[];
  /** Undefined where the whole homework is looked at, so that no report has to be asked for its class; never empty. */
  classIds: number[] | undefined;
}

interface ScopeRequest {
  homeworkId: number;
  /** Undefined for all classes. */
  classId?: number | undefined;
}

/** Missing where the actor may not see the homework or the class, or where it was not published to the class. */
export const scopeOf = (db: Database, actor: Actor, request: ScopeRequest): Promise<Scope | Refusal> =>
  memo(db, `scope of ${request.homeworkId} in ${request.classId}`, () => askScope(db, actor, request));

async function askScope(db: Database, actor: Actor, { homeworkId, classId }: ScopeRequest): Promise<Scope | Refusal> {
  const homework = await seenHomework(db, actor, homeworkId);
  if (!homework) return missing(missingHomework);
  const { id: actorId, identity } = actor;
  const isOfClass = classId !== undefined;
  const classes = await published(db, { homeworkId, actorId, classId: classId ?? 0 }, { identity, isOfClass });
  // Every homework has a class; who sees the homework as an assistant has one of them.
  if (classes.length === 0) return missing(missingClass);
  const whole = classId === undefined && actor.identity === 'teacher';
  return {
    homework,
    mode: homework.is_set_score,
    classes,
    classIds: whole ? undefined : classes.map(({ id }) => id),
  };
}

interface Shape {
  identity: Identity;
  isOfClass: boolean;
  [name: string]: string | boolean;
}

/** The classes of a homework, or the one that is named, as far as the actor sees them. */
const published = prepared(
  (db, values: Record<'homeworkId' | 'actorId' | 'classId', number>, { identity, isOfClass }: Shape) =>
    db
      .selectFrom('homework_class')
      .innerJoin('class', 'class.id', 'homework_class.class_id')
      .select(['class.id', 'class.name'])
      .where('homework_class.homework_id', '=', values.homeworkId)
      .where('homework_class.published_at', 'is not', null)
      .$if(identity === 'assist', (classes) =>
        classes.where('class.id', 'in', classesAssistedBy(db, { id: values.actorId, identity })),
      )
      .$if(isOfClass, (classes) => classes.where('class.id', '=', values.classId))
      .orderBy('class.id'),
);

/** The scope of a call over reports: those of a recalled homework are gone from every statistic. */
export async function reportScope(db: Database, actor: Actor, request: ScopeRequest): Promise<Scope | Refusal> {
  const scope = await scopeOf(db, actor, request);
  if (isRefusal(scope)) return scope;
  return refuseFor('conflict', recordsFault(scope.homework)) ?? scope;
}

/** The reports of a scope: one for each student who is expected to hand in. */
export function reportsOf(db: Database, { homework, classIds }: Scope) {
  const reports = db.selectFrom('report').where('report.homework_id', '=', homework.id);
  return classIds === undefined ? reports : reports.where('report.class_id', 'in', classIds);
}

/** The same for statements: what is looked at, its classes as JSON, and whether it is the whole homework. */
export interface ScopeValues {
  homeworkId: number;
  classes: string;
  [name: string]: string | number;
}
export type ScopeShape = 'whole' | 'classes';

export const valuesOf = ({ homework, classIds }: Scope): [ScopeValues, ScopeShape] => [
  { homeworkId: homework.id, classes: JSON.stringify(classIds ?? []) },
  classIds === undefined ? 'whole' : 'classes',
];

export const reportsIn = (db: Database, { homeworkId, classes }: ScopeValues, shape: ScopeShape) =>
  db
    .selectFrom('report')
    .where('report.homework_id', '=', homeworkId)
    .$if(shape === 'classes', (reports) => reports.where('report.class_id', 'in', inJsonIds(db, classes)));

export interface ReportCounts {
  expected: number;
  submitted: number;
  graded: number;
}

/** Read from the counters, never by counting reports. */
export const reportCounts = async (db: Database, { homework, classIds }: Scope): Promise<ReportCounts> =>
  classIds === undefined
    ? countsFrom(homework)
    : memo(db, `reports of ${homework.id} in ${classIds}`, () => countsOver(db, homework.id, classIds));

async function countsOver(db: Database, homeworkId: number, classIds: number[]): Promise<ReportCounts> {
  const [sums] = await sumsOver(db, { homeworkId, classes: JSON.stringify(classIds) });
  return sums ? countsFrom(sums) : { expected: 0, submitted: 0, graded: 0 };
}

const sumsOver = prepared((db, { homeworkId, classes }: { homeworkId: number; classes: string }) =>
  db
    .selectFrom('homework_class')
    .select((eb) => [
      eb.fn.sum<number>('homework_count').as('homework_count'),
      eb.fn.sum<number>('submitted_homework_count').as('submitted_homework_count'),
      eb.fn.sum<number>('not_revised_homework_count').as('not_revised_homework_count'),
    ])
    .where('homework_id', '=', homeworkId)
    .where('class_id', 'in', inJsonIds(db, classes)),
);

const countsFrom = (counters: {
  homework_count: number;
  submitted_homework_count: number;
  not_revised_homework_count: number;
}): ReportCounts => ({
  expected: counters.homework_count,
  submitted: counters.submitted_homework_count,
  graded: counters.submitted_homework_count - counters.not_revised_homework_count,
});

/** A report that the actor may look into, with its homework's scope over the classes that they see. */
export async function seenReport(db: Database, actor: Actor, reportId: number) {
  const gone = () => missing(missingHomework);
  const report = await db
    .selectFrom('report')
    .selectAll()
    .where('id', '=', reportId)
    .where(ofYearOf(reportId))
    .executeTakeFirst();
  if (!report) return gone();
  const scope = await scopeOf(db, actor, { homeworkId: report.homework_id });
  if (isRefusal(scope)) return scope;
  // First what the actor may not see at all, then what has vanished with its homework.
  if (scope.classIds && !scope.classIds.includes(report.class_id)) return gone();
  return refuseFor('conflict', recordsFault(scope.homework)) ?? { report, scope };
}
