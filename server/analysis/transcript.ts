/** Transcript of a homework: rank and score of each student. */

import { sql } from 'kysely';
import { pointsOf, reportStatus, wholeTenths } from '#server/grading/rules.ts';
import { wholePercent } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { studentIdentifier } from '#server/students/rules.ts';
import { compareWithEarlier } from './figures.ts';
import { secondRange } from './filters.ts';
import { ratesBefore } from './progress.ts';
import { answeredQuestions, questionsOf, totalsOf } from './questions.ts';
import { reportCounts, reportScope, reportsOf, type Scope } from './scope.ts';
import { ranksOf, scoreTally } from './scores.ts';
import type { TranscriptFilter, TranscriptRow, TranscriptSummary } from './transcript.contract.ts';

type ScopeRequest = Parameters<typeof reportScope>[2];
type Filter = Omit<TranscriptFilter, 'page' | 'limit'>;

/** Data that a row needs in addition to its report. */
export interface TranscriptContext {
  scope: Scope;
  ranks: Map<number, number>;
  totals: ReturnType<typeof totalsOf>;
  classNames: Map<number, string>;
}

export async function transcriptContext(db: Database, scope: Scope): Promise<TranscriptContext> {
  return {
    scope,
    ranks: ranksOf(await scoreTally(db, scope)),
    totals: totalsOf(answeredQuestions(await questionsOf(db, scope.homework.id))),
    classNames: new Map(scope.classes.map(({ id, name }) => [id, name])),
  };
}

/** Lists one page: graded reports by rank, then ungraded reports, then students who have not submitted. */
export async function transcriptPage(db: Database, actor: Actor, request: ScopeRequest, filter: TranscriptFilter) {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const total = await transcriptTotal(db, scope, filter);
  const { list: rows, ...range } = await pageOf(total, filter, orderByRank(transcriptReports(db, scope, filter)));
  const context = await transcriptContext(db, scope);
  return { list: await transcriptRows(db, actor, rows, context), ...range };
}

const orderByRank = (reports: ReturnType<typeof transcriptReports>) =>
  reports.orderBy('report.status', 'desc').orderBy('report.user_score', 'desc').orderBy('report.student_id');

/** True if the filter matches every report. */
const isUnfiltered = ({ nickname, status, start_at, end_at }: Filter): boolean =>
  !nickname && status === undefined && start_at === undefined && end_at === undefined;

/** Counts the rows that match a filter. */
export async function transcriptTotal(db: Database, scope: Scope, filter: Filter): Promise<number> {
  return isUnfiltered(filter) ? (await reportCounts(db, scope)).expected : countOf(filterReports(db, scope, filter));
}

const withStudents = (reports: ReturnType<typeof reportsOf>) =>
  reports.innerJoin('student', 'student.id', 'report.student_id');

function filterReports(db: Database, scope: Scope, filter: Filter) {
  const { from, to } = secondRange(filter.start_at, filter.end_at);
  let reports = withStudents(reportsOf(db, scope));
  if (filter.nickname) reports = reports.where(nameContains('student.nickname', filter.nickname));
  if (filter.status !== undefined) reports = reports.where('report.status', '=', filter.status);
  if (from !== undefined) reports = reports.where('report.submit_time', '>=', from);
  if (to !== undefined) reports = reports.where('report.submit_time', '<=', to);
  return reports;
}

export function transcriptReports(db: Database, scope: Scope, filter: Filter) {
  return filterReports(db, scope, filter).select(reportColumns);
}

const reportColumns = [
  'report.id',
  'report.student_id',
  'report.class_id',
  'report.status',
  'report.answer_time',
  'report.user_score',
  'report.objective_score',
  'report.subjective_score',
  'report.submit_time',
  'student.nickname',
  'student.number',
  'student.mobile',
] as const;

export type TranscriptReport = Awaited<ReturnType<ReturnType<typeof transcriptReports>['execute']>>[number];

/** Converts reports to rows, and compares graded reports with the student's earlier homework. */
export async function transcriptRows(
  db: Database,
  actor: Actor,
  reports: TranscriptReport[],
  context: TranscriptContext,
): Promise<TranscriptRow[]> {
  const graded = reports.filter(({ status }) => status === reportStatus.graded);
  const studentIds = graded.map(({ student_id }) => student_id);
  const rates = await ratesBefore(db, actor, context.scope.homework, studentIds);
  return reports.map((report) => transcriptRow(report, rates.get(report.student_id) ?? [], context));
}

function transcriptRow(
  row: TranscriptReport,
  earlier: readonly number[],
  { scope, ranks, totals, classNames }: TranscriptContext,
): TranscriptRow {
  const known = {
    id: row.id,
    student_id: row.student_id,
    nickname: row.nickname,
    identifier: studentIdentifier(row),
    class_name: classNames.get(row.class_id) ?? '',
    status: row.status,
    updated_at: row.submit_time ?? 0,
  };
  if (row.status !== reportStatus.graded) return { ...known, ...notComputed };
  const { mode } = scope;
  const user_rate = wholePercent(row.user_score, totals.all.score);
  return {
    ...known,
    answer_time: row.answer_time,
    rank: ranks.get(row.user_score) ?? null,
    user_score: wholeTenths(mode, row.user_score),
    objective_score: wholeTenths(mode, row.objective_score),
    subjective_score: wholeTenths(mode, row.subjective_score),
    user_rate,
    objective_rate: wholePercent(row.objective_score, totals.objective.score),
    subjective_rate: wholePercent(row.subjective_score, totals.subjective.score),
    ...compareWithEarlier(user_rate, earlier),
  };
}

const notComputed = {
  answer_time: null,
  rank: null,
  user_score: null,
  objective_score: null,
  subjective_score: null,
  user_rate: null,
  objective_rate: null,
  subjective_rate: null,
  ...compareWithEarlier(0, []),
};

const timeSpent = (db: Database, scope: Scope) =>
  reportsOf(db, scope)
    .where('report.status', 'in', [reportStatus.waiting, reportStatus.graded])
    .select(sql<number>`coalesce(sum(report.answer_time), 0)`.as('seconds'))
    .executeTakeFirstOrThrow();

/**
 * Returns the summary of the transcript. 404: the actor does not see the homework or the class. 409: the homework is
 * recalled.
 */
export async function transcriptTotals(
  db: Database,
  actor: Actor,
  request: ScopeRequest,
): Promise<TranscriptSummary | Refusal> {
  const scope = await reportScope(db, actor, request);
  if (isRefusal(scope)) return scope;
  const { mode } = scope;
  const { all, objective, subjective } = totalsOf(answeredQuestions(await questionsOf(db, scope.homework.id)));
  const { submitted } = await reportCounts(db, scope);
  const { seconds } = await timeSpent(db, scope);
  return {
    total: all.count,
    score: pointsOf(mode, all.score),
    object_count: objective.count,
    object_score: pointsOf(mode, objective.score),
    subject_count: subjective.count,
    subject_score: pointsOf(mode, subjective.score),
    average_answer_time: submitted === 0 ? 0 : Math.floor(seconds / submitted),
    submitted,
  };
}
