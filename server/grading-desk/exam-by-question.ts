/**
 * Grading one exam question of all submissions (`by=question` in the address), and finishing the submissions together.
 */

import { endSubmission } from '#server/exams/grading.ts';
import { resumedReports } from '#server/exams/reopening.ts';
import { testStatus } from '#server/exams/rules.ts';
import { visibleExamReports } from '#server/exams/visible.ts';
import { answerStatus, isSubjective, pointsMode } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { buildQuestionQueue, queueAnswer } from './by-question-queue.ts';
import { findVisibleSubmission, nextExamReport, sheetNotFound } from './exam-review.ts';
import { finishLimit, gradingMessages } from './rules.ts';

/** Returns the queue of the exam's unfinished submissions, including the current one. */
export async function examQuestionQueue(
  db: Database,
  actor: Actor,
  request: {
    report_id?: number | undefined;
    question_id?: number | undefined;
    skip: readonly number[];
    order?: 'shuffled' | undefined;
  },
) {
  const report = await findVisibleSubmission(db, actor, request.report_id);
  if (!report) return sheetNotFound();
  const question = await db
    .selectFrom('exam_question')
    .select(['id', 'ques_type'])
    .where('id', '=', request.question_id ?? 0)
    .where('exam_id', '=', report.exam_id)
    .executeTakeFirst();
  if (!question || !isSubjective(question.ques_type)) return missing(missingQuestion);
  const answers = visibleExamReports(db, actor)
    .innerJoin('exam_answer', (join) =>
      join.onRef('exam_answer.report_id', '=', 'exam_report.id').on('exam_answer.question_id', '=', question.id),
    )
    .select([
      'exam_report.id as id',
      'exam_report.submit_time as submit_time',
      'exam_answer.status',
      'exam_answer.score',
    ])
    .where('exam_report.exam_id', '=', report.exam_id);
  // A union instead of an `or`, for the reason given in `questionQueue`.
  const inOrder = await answers
    .where('exam_report.test_status', '=', testStatus.waiting)
    .union(answers.where('exam_report.id', '=', report.id))
    .orderBy('submit_time')
    .orderBy('id')
    .execute();
  const { finishable } = await finishableSubmissions(db, actor, report.exam_id)
    .select((eb) => eb.fn.countAll<number>().as('finishable'))
    .executeTakeFirstOrThrow();
  const queue = buildQuestionQueue(inOrder, {
    hereId: report.id,
    seed: question.id,
    order: request.order,
    skip: request.skip,
  });
  const nicknames = await nicknamesOf(
    db,
    queue.shown.map(({ id }) => id),
  );
  return queueAnswer(queue, { mode: pointsMode, nicknames, finishable });
}

async function nicknamesOf(db: Database, reportIds: number[]): Promise<Map<number, string>> {
  if (reportIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('exam_report')
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .select(['exam_report.id', 'student.nickname'])
    .where('exam_report.id', 'in', reportIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row.nickname]));
}

/** Selects unfinished submissions whose answers are all graded. */
const finishableSubmissions = (db: Database, actor: Actor, examId: number) =>
  visibleExamReports(db, actor)
    .where('exam_report.exam_id', '=', examId)
    .where('exam_report.test_status', '=', testStatus.waiting)
    .where('exam_report.id', 'not in', resumedReports(db, examId))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('exam_answer')
            .select('exam_answer.id')
            .whereRef('exam_answer.report_id', '=', 'exam_report.id')
            .where('exam_answer.status', '=', answerStatus.waiting),
        ),
      ),
    );

/**
 * Finishes fully graded submissions without a comment, at most `finishLimit` of them. Returns their number and the next
 * submission to grade. 409: no submission is fully graded.
 */
export async function finishAllGradedExams(
  db: Database,
  actor: Actor,
  request: { report_id?: number | undefined; skip: readonly number[] },
  now: number,
): Promise<{ count: number; exam_id: number; next_report_id: number | null } | Refusal> {
  const report = await findVisibleSubmission(db, actor, request.report_id);
  if (!report) return sheetNotFound();
  const ready = await finishableSubmissions(db, actor, report.exam_id)
    .select('exam_report.id')
    .orderBy('exam_report.id')
    .limit(finishLimit)
    .execute();
  if (ready.length === 0) return conflict(gradingMessages.noSheets);
  for (const { id } of ready) {
    const ended = await endSubmission(db, actor, { reportId: id, examId: report.exam_id, comment: '', now });
    if (isRefusal(ended)) return ended;
  }
  const next_report_id = await nextExamReport(db, actor, report, request.skip);
  return { count: ready.length, exam_id: report.exam_id, next_report_id };
}
