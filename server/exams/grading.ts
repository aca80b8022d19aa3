/** Marks and finishes exam reports. The rules of homework apply; the tables and sums are the exam's own. */

import { sql } from 'kysely';
import { type AnswerReview, type GradedAnswer, validateReview } from '#server/grading/answer-review.ts';
import { type AnswerStatus, answerStatus, pointsMode, ungradedAnswersMessage } from '#server/grading/rules.ts';
import type { ScoredAnswer } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countWhenAnswered } from '#server/platform/monitoring/metrics.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import { adjustMarkCounts, countGraded } from './figures.ts';
import { emitExamGraded } from './learner-events.ts';
import { resumedReports } from './reopening.ts';
import { examMessages, missingSheet, sheetGradedFault, testStatus } from './rules.ts';
import { canSeeExamReport, isVisibleExamReport } from './visible.ts';

/** Saves a grader's mark and comment for a subjective answer of a visible report, and updates the exam's sums. */
export async function gradeExamAnswer(
  db: Database,
  actor: Actor,
  { reportId, questionId, ...review }: AnswerReview,
): Promise<GradedAnswer | Refusal> {
  const answer = await heldAnswer(db, actor, reportId, questionId);
  if (!answer) return refuseUnknown(db, actor, reportId);
  const over = refuseFor('conflict', sheetGradedFault(answer));
  if (over) return over;
  const outcome = await validateReview(db, actor, answer, pointsMode, review);
  if (isRefusal(outcome)) return outcome;
  const { change, ...graded } = outcome;
  if (!change) return graded;
  const { row, before, after } = change;
  await db.updateTable('exam_answer').set(row).where('id', '=', answer.id).execute();
  await moveSums(db, answer, before, after);
  const record = { record: 'exam_answer', recordId: answer.id, action: 'grade' };
  await recordHistory(db, { actor, now: review.now, ...record, before, after });
  countWhenAnswered('grades', { kind: 'exam' });
  return graded;
}

interface AnswerState {
  status: number;
  score: number | null;
}

/** Adds the change of an answer's score to the sums of the answer's report and question. */
async function moveSums(
  db: Database,
  answer: { report_id: number; question_id: number; school_id: number },
  before: AnswerState,
  after: AnswerState,
): Promise<void> {
  const gained = (after.score ?? 0) - (before.score ?? 0);
  if (gained !== 0) {
    await db
      .updateTable('exam_report')
      .set({
        subjective_score: sql<number>`subjective_score + ${gained}`,
        user_score: sql<number>`user_score + ${gained}`,
      })
      .where('id', '=', answer.report_id)
      .execute();
  }
  const scored = ({ status, score }: AnswerState): ScoredAnswer => ({ status: status as AnswerStatus, score });
  const question = { questionId: answer.question_id, schoolId: answer.school_id };
  await adjustMarkCounts(db, { ...question, before: scored(before), after: scored(after) });
}

/**
 * Undoes a mark if nobody has changed the answer since (same version) and it may still be graded, like `restoreAnswer`
 * in homework.
 */
export async function restoreExamAnswer(
  db: Database,
  {
    answerId,
    version,
    before,
  }: { answerId: number; version: number; before: { status: number; score: number | null; review_comment: string } },
): Promise<AnswerState | undefined> {
  const held = db
    .selectFrom('exam_answer')
    .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
    .selectAll('exam_answer')
    .select(['exam_report.test_status', 'exam_report.school_id'])
    .where('exam_answer.id', '=', answerId);
  const answer = await forUpdate(db)(held, ['exam_answer', 'exam_report']).executeTakeFirstOrThrow();
  if (answer.version !== version || answer.test_status !== testStatus.waiting) return undefined;
  await db
    .updateTable('exam_answer')
    .set({ ...before, version: version + 1 })
    .where('id', '=', answerId)
    .execute();
  await moveSums(db, answer, answer, before);
  return { status: answer.status, score: answer.score };
}

/** Selects an answer together with its report, and locks both until the transaction ends. */
function heldAnswer(db: Database, actor: Actor, reportId: number, questionId: number | undefined) {
  const answer = db
    .selectFrom('exam_answer')
    .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
    .innerJoin('exam_question', 'exam_question.id', 'exam_answer.question_id')
    .selectAll('exam_answer')
    .select([
      'exam_question.ques_type',
      'exam_question.score as full',
      'exam_report.test_status',
      'exam_report.school_id',
    ])
    .where('exam_answer.report_id', '=', reportId)
    .where('exam_answer.question_id', '=', questionId ?? 0)
    .where((eb) => isVisibleExamReport(db, actor)(eb as never));
  return forUpdate(db)(answer, ['exam_answer', 'exam_report']).executeTakeFirst();
}

async function refuseUnknown(db: Database, actor: Actor, reportId: number): Promise<Refusal> {
  return (await canSeeExamReport(db, actor, reportId)) ? missing(missingQuestion) : missing(missingSheet);
}

/**
 * Finishes the grading of a submission, which then has a rank and passes or fails. Refused if it is finished already or
 * an answer still waits.
 */
export async function endSubmission(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { reportId, examId, comment, now }: { reportId: number; examId: number; comment: string; now: number },
): Promise<{ exam: Exam; test_status: number; user_score: number } | Refusal> {
  // The exam is locked first, as submissions do, against deadlocks.
  const exam = await lockedExam(db, examId);
  const report = await db
    .selectFrom('exam_report')
    .selectAll()
    .where('id', '=', reportId)
    .$call(forUpdate(db))
    .executeTakeFirstOrThrow();
  const over = refuseFor('conflict', sheetGradedFault(report));
  if (over) return over;
  const goesOn = await resumedReports(db, examId).where('report_id', '=', reportId).executeTakeFirst();
  if (goesOn) return conflict(examMessages.goesOn);
  const waiting = await db
    .selectFrom('exam_answer')
    .select('id')
    .where('report_id', '=', reportId)
    .where('status', '=', answerStatus.waiting)
    .limit(1)
    .executeTakeFirst();
  if (waiting) return conflict(ungradedAnswersMessage);
  const ended = await finishHeld(db, actor, exam, report, { comment, now });
  await emitExamGraded(db, [report], now);
  return { exam, ...ended };
}

type HeldReport = Parameters<typeof countGraded>[2] & { test_status: number };

/** Finishes a report. Call with the exam and the report locked. */
async function finishHeld(
  db: Database,
  actor: Pick<Actor, 'id'> | null,
  exam: Exam,
  report: HeldReport,
  { comment, now }: { comment: string; now: number },
): Promise<{ test_status: number; user_score: number }> {
  const after = { test_status: testStatus.reviewed, user_score: report.user_score };
  await db
    .updateTable('exam_report')
    .set({
      test_status: after.test_status,
      graded_at: now,
      graded_by: actor?.id ?? null,
      comment,
      changed_at: nextChangedAt(now),
    })
    .where('id', '=', report.id)
    .execute();
  await countGraded(db, exam, report);
  const record = { record: 'exam_report', recordId: report.id, action: 'finish' };
  await recordHistory(db, { actor, now, ...record, before: { test_status: report.test_status }, after });
  return after;
}

/**
 * Finishes the ungraded reports of a student who is being erased; answers without a mark count as unanswered, as in
 * homework.
 */
export async function finishUnmarked(
  db: Database,
  { studentId, actor, now }: { studentId: number; actor: Pick<Actor, 'id'> | null; now: number },
): Promise<void> {
  const waiting = await db
    .selectFrom('exam_report')
    .select('exam_id')
    .distinct()
    .where('student_id', '=', studentId)
    .where('test_status', '=', testStatus.waiting)
    .orderBy('exam_id')
    .execute();
  for (const { exam_id } of waiting) {
    const exam = await lockedExam(db, exam_id);
    const reports = await forUpdate(db)(
      db
        .selectFrom('exam_report')
        .selectAll()
        .where('exam_id', '=', exam_id)
        .where('student_id', '=', studentId)
        .where('test_status', '=', testStatus.waiting)
        .orderBy('id'),
    ).execute();
    for (const report of reports) {
      const unmarked = await db
        .updateTable('exam_answer')
        .set((eb) => ({ status: answerStatus.unanswered, score: 0, version: eb('version', '+', 1) }))
        .where('report_id', '=', report.id)
        .where('status', '=', answerStatus.waiting)
        .returning('question_id')
        .execute();
      for (const { question_id } of unmarked) {
        const [before, after] = [{ status: answerStatus.waiting }, { status: answerStatus.unanswered }];
        await adjustMarkCounts(db, { questionId: question_id, schoolId: report.school_id, before, after });
      }
      await finishHeld(db, actor, exam, report, { comment: '', now });
    }
  }
}

const lockedExam = (db: Database, id: number): Promise<Exam> =>
  db.selectFrom('exam').selectAll().where('id', '=', id).$call(forUpdate(db)).executeTakeFirstOrThrow();
