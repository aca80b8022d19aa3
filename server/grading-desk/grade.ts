/** Grades and finishes homework reports. */

import type { AnswerReview } from '#server/grading/answer-review.ts';
import { answerStatus, reportStatus } from '#server/grading/rules.ts';
import { finishReport, gradeAnswer } from '#server/homework/report-grading.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { refuseMissingFiles } from './attachments.ts';
import { nextReport } from './grading-queue.ts';
import type { finishReview, finishReviews, storeQuestion } from './homework.contract.ts';
import type { SavedMark } from './mark.contract.ts';
import { readTypedScore } from './mark.ts';
import { markedAnswer, reportNotFound } from './review.ts';
import { finishLimit, gradingMessages } from './rules.ts';
import { isVisibleReportById, visibleReportsById } from './visible.ts';

/** Returns how scores of this question are read; undefined if the actor does not see the report. */
export async function findGradableQuestion(
  db: Database,
  actor: Actor,
  reportId: number | undefined,
  questionId: number | undefined,
) {
  return visibleReportsById(db, actor)
    .leftJoin('homework_question', (join) =>
      join.onRef('homework_question.homework_id', '=', 'homework.id').on('homework_question.id', '=', questionId ?? 0),
    )
    .select(['homework.id as homework_id', 'homework.is_set_score', 'homework_question.score as full'])
    .where('report.id', '=', reportId ?? 0)
    .executeTakeFirst();
}

export async function saveReview(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof storeQuestion>,
  { now, storage }: { now: number; storage: Storage },
): Promise<SavedMark | Refusal> {
  const questionId = body.ques_id ?? body.question_id;
  if (body.report_id === undefined) return reportNotFound();
  const refusal = await refuseMissingFiles(storage, body);
  if (refusal) return refusal;
  const review: AnswerReview = {
    reportId: body.report_id,
    questionId: questionId ?? 0,
    version: body.version ?? undefined,
    score: body.type === 2 ? ({ mode, full }) => readTypedScore(mode, full, body.user_score) : undefined,
    comment: body.review_comment ?? body.remark,
    attachments: body.review_attachments,
    images: body.image,
    now,
  };
  const graded = await gradeAnswer(db, actor, review, isVisibleReportById(db, actor));
  return isRefusal(graded) ? graded : markedAnswer(graded);
}

/** Finishes a report. Returns the next report to grade, or null. */
export async function finishGrading(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof finishReview>,
  now: number,
): Promise<{ next_report_id: number | null } | Refusal> {
  const report = await findGradableQuestion(db, actor, body.report_id, undefined);
  if (!report || body.report_id === undefined) return reportNotFound();
  const refusal = await finishReport(db, actor, {
    reportId: body.report_id,
    comment: body.comment ?? body.remark ?? '',
    now,
  });
  if (refusal) return refusal;
  const current = { reportId: body.report_id, homeworkId: report.homework_id };
  return { next_report_id: await nextReport(db, actor, current, { classId: body.class_id, skip: body.skip }) };
}

/** Selects unfinished reports of the homework whose answers are all graded. */
export function finishableReports(db: Database, actor: Actor, homeworkId: number, classId: number | undefined) {
  const reports = visibleReportsById(db, actor)
    .where('homework.id', '=', homeworkId)
    .where('report.status', '=', reportStatus.waiting)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('answer')
            .select('answer.id')
            .whereRef('answer.report_id', '=', 'report.id')
            .where('answer.status', '=', answerStatus.waiting),
        ),
      ),
    );
  return classId === undefined ? reports : reports.where('report.class_id', '=', classId);
}

/**
 * Finishes fully graded reports without a comment, at most `finishLimit` of them. Returns their number and the next
 * report to grade. 409: no report is fully graded.
 */
export async function finishAllGraded(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof finishReviews>,
  now: number,
): Promise<{ count: number; next_report_id: number | null } | Refusal> {
  const { report_id, class_id, skip } = body;
  const report = await findGradableQuestion(db, actor, report_id, undefined);
  if (!report || report_id === undefined) return reportNotFound();
  // Locks all reports by id before the counters of the homework, in the same order as submitting does. Another order
  // could deadlock.
  const ready = await forUpdate(db)(
    finishableReports(db, actor, report.homework_id, class_id)
      .select('report.id')
      .orderBy('report.id')
      .limit(finishLimit),
    ['report'],
  ).execute();
  if (ready.length === 0) return conflict(gradingMessages.noReports);
  for (const { id } of ready) {
    const refusal = await finishReport(db, actor, { reportId: id, comment: '', now });
    if (refusal) return refusal;
  }
  const current = { reportId: report_id, homeworkId: report.homework_id };
  const next_report_id = await nextReport(db, actor, current, { classId: class_id, skip });
  return { count: ready.length, next_report_id };
}
