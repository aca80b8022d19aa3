/**
 * Grading of reports: reviewing single answers, and finishing reports. Call each function inside a transaction. Callers
 * check permissions.
 */

import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type AnswerReview, type GradedAnswer, validateReview } from '#server/grading/answer-review.ts';
import { answerStatus, reportStatus, ungradedAnswersMessage } from '#server/grading/rules.ts';
import { emitLearnerEvent } from '#server/learners/events.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { countWhenAnswered } from '#server/platform/monitoring/metrics.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import { changeCounters } from './report-counters.ts';
import { lockReport, reportColumns } from './report-locks.ts';
import { inYearOfReport } from './report-years.ts';
import { gradingFault, missingHomework, reviewFault } from './rules.ts';

type ReportBuilder = ExpressionBuilder<Tables, 'report'>;
/** A condition on the table `report`, for any query that selects from or joins it. */
export type ReportCondition = (eb: ReportBuilder) => Expression<SqlBool>;

/**
 * Saves the review of one subjective answer. 409 with a `ReviewConflict`: somebody else has saved a review meanwhile,
 * and nothing is overwritten. Idempotent: a repeated review, or a review without changes, writes no history.
 */
export async function gradeAnswer(
  db: Database,
  actor: Pick<Actor, 'id'>,
  review: AnswerReview,
  /** Limits access: an answer of a report that does not fulfil the condition is 404. */
  condition?: ReportCondition,
): Promise<GradedAnswer | Refusal> {
  const { reportId, questionId, now } = review;
  const answer = await lockAnswer(db, reportId, questionId, condition);
  if (!answer) return refuseUnknown(db, reportId, condition);
  const refusal = refuseReview({ report: { status: answer.report_status }, homework: { status: answer.hw_status } });
  if (refusal) return refusal;
  const outcome = await validateReview(db, actor, answer, answer.is_set_score, review);
  if (isRefusal(outcome)) return outcome;
  const { change, ...graded } = outcome;
  if (!change) return graded;
  await db
    .updateTable('answer')
    .set(change.row)
    .where('id', '=', answer.id)
    .where('report_id', '=', reportId)
    .execute();
  await addToReport(db, reportId, change.gained);
  const { before, after } = change;
  await recordHistory(db, { actor, now, record: 'answer', recordId: answer.id, action: 'grade', before, after });
  countWhenAnswered('grades', { kind: 'homework' });
  return graded;
}

/** Reads the answer with all facts that the rules need. Locks the answer and its report until the transaction ends. */
function lockAnswer(db: Database, reportId: number, questionId: number, condition: ReportCondition | undefined) {
  const answer = db
    .selectFrom('answer')
    .innerJoin('report', 'report.id', 'answer.report_id')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
    .select([
      'answer.id',
      'answer.status',
      'answer.score',
      'answer.version',
      'answer.review_comment',
      'answer.review_attachments',
      'answer.review_images',
      'answer.reviewed_by',
      'homework_question.ques_type',
      'homework_question.score as full',
      'report.status as report_status',
      'homework.status as hw_status',
      'homework.is_set_score',
    ])
    .where('answer.report_id', '=', reportId)
    .where('answer.question_id', '=', questionId)
    .where(inYearOfReport(reportId))
    .where((eb) => condition?.(eb as unknown as ReportBuilder) ?? eb.lit(true));
  // Does not lock the homework, so that graders need not wait for each other. A recall commits either before or after
  // this review.
  return forUpdate(db)(answer, ['answer', 'report']).executeTakeFirst();
}

/**
 * Reverts an answer to `before`, if its version is unchanged and its report is not finished. Returns the reverted
 * answer, or undefined if nothing changed. 409: the homework is recalled.
 */
export async function restoreAnswer(
  db: Database,
  {
    answerId,
    version,
    before,
  }: { answerId: number; version: number; before: { status: number; score: number | null; review_comment: string } },
): Promise<{ status: number; score: number | null } | undefined | Refusal> {
  const locked = db
    .selectFrom('answer')
    .innerJoin('report', 'report.id', 'answer.report_id')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select([
      'homework.status as hw_status',
      'answer.status',
      'answer.score',
      'answer.version',
      'report.id as report_id',
      'report.status as report_status',
    ])
    .where('answer.id', '=', answerId);
  const answer = await forUpdate(db)(locked, ['answer', 'report']).executeTakeFirstOrThrow();
  const refusal = refuseFor('conflict', gradingFault({ status: answer.hw_status }));
  if (refusal) return refusal;
  if (answer.version !== version || answer.report_status !== reportStatus.waiting) return undefined;
  await db
    .updateTable('answer')
    .set({ ...before, version: version + 1 })
    .where('id', '=', answerId)
    .where('report_id', '=', answer.report_id)
    .execute();
  await addToReport(db, answer.report_id, (before.score ?? 0) - (answer.score ?? 0));
  return { status: answer.status, score: answer.score };
}

/** Adds points (in stored units) to a report's totals. */
async function addToReport(db: Database, reportId: number, gained: number): Promise<void> {
  if (gained === 0) return;
  await db
    .updateTable('report')
    .set({
      subjective_score: sql<number>`subjective_score + ${gained}`,
      user_score: sql<number>`user_score + ${gained}`,
    })
    .where('id', '=', reportId)
    .where(inYearOfReport(reportId))
    .execute();
}

/** Finishes grading a report. 409: an answer is not graded yet, or the report was finished before. */
export async function finishReport(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { reportId, comment, now }: { reportId: number; comment: string; now: number },
): Promise<null | Refusal> {
  const locked = await lockReport(db, reportId);
  if (isRefusal(locked)) return locked;
  const refusal = refuseReview(locked);
  if (refusal) return refusal;
  const { report } = locked;
  const waiting = await db
    .selectFrom('answer')
    .select('id')
    .where('report_id', '=', reportId)
    .where('status', '=', answerStatus.waiting)
    .limit(1)
    .executeTakeFirst();
  if (waiting) return conflict(ungradedAnswersMessage);
  await db
    .updateTable('report')
    .set({ status: reportStatus.graded, graded_at: now, graded_by: actor.id, comment, changed_at: nextChangedAt(now) })
    .where('id', '=', reportId)
    .where(inYearOfReport(reportId))
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'report',
    recordId: reportId,
    action: 'finish',
    before: { status: report.status },
    after: { status: reportStatus.graded, user_score: report.user_score },
  });
  await emitGraded(db, [report], now);
  await changeCounters(db, [{ report, by: { submitted: 0, waiting: -1 } }]);
  return null;
}

/**
 * Finishes the ungraded reports of a student who was erased: their answers are gone. Answers without a score become
 * unanswered.
 */
export async function finishUnmarked(
  db: Database,
  { studentId, actor, now }: { studentId: number; actor: Pick<Actor, 'id'> | null; now: number },
): Promise<void> {
  const reports = await forUpdate(db)(
    db
      .selectFrom('report')
      .select(reportColumns)
      .where('student_id', '=', studentId)
      .where('status', '=', reportStatus.waiting)
      .orderBy('id'),
  ).execute();
  for (const report of reports) {
    const { id } = report;
    await db
      .updateTable('answer')
      .set((eb) => ({ status: answerStatus.unanswered, score: 0, version: eb('version', '+', 1) }))
      .where('report_id', '=', id)
      .where('status', '=', answerStatus.waiting)
      .execute();
    await db
      .updateTable('report')
      .set({
        status: reportStatus.graded,
        graded_at: now,
        graded_by: actor?.id ?? null,
        changed_at: nextChangedAt(now),
      })
      .where('id', '=', id)
      .where(inYearOfReport(id))
      .execute();
    const [before, after] = [{ status: report.status }, { status: reportStatus.graded, user_score: report.user_score }];
    await recordHistory(db, { actor, now, record: 'report', recordId: id, action: 'finish', before, after });
  }
  for (const [, group] of [...groupRows(reports, ({ homework_id }) => homework_id)].sort(
    ([one], [other]) => one - other,
  ))
    await changeCounters(
      db,
      group.map((report) => ({ report, by: { submitted: 0, waiting: -1 } })),
    );
}

/** Emits the event `report.graded` for each report. All reports must belong to one homework. */
export async function emitGraded(
  db: Database,
  reports: readonly { id: number; homework_id: number; student_id: number }[],
  now: number,
): Promise<void> {
  const about = reports.map(({ id, student_id }) => ({ studentId: student_id, recordId: id }));
  const details = { of: 'homework', homework_id: reports[0]?.homework_id ?? 0 };
  await emitLearnerEvent(db, { kind: 'report.graded', about, details }, now);
}

/**
 * Finds out why the answer cannot be reviewed: there is no such report, the report is closed, or there is no such
 * question.
 */
async function refuseUnknown(db: Database, reportId: number, condition: ReportCondition | undefined): Promise<Refusal> {
  const visible = db
    .selectFrom('report')
    .select('id')
    .where('id', '=', reportId)
    .where(inYearOfReport(reportId))
    .where((eb) => condition?.(eb) ?? eb.lit(true));
  if (!(await visible.executeTakeFirst())) return missing(missingHomework);
  const locked = await lockReport(db, reportId);
  return isRefusal(locked) ? locked : (refuseReview(locked) ?? missing(missingQuestion));
}

const refuseReview = ({ report, homework }: { report: { status: number }; homework: { status: number } }) =>
  refuseFor('conflict', reviewFault(homework, report));
