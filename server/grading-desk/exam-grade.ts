/** Grades and finishes exam submissions. */
import { endSubmission, gradeExamAnswer } from '#server/exams/grading.ts';
import { examRanks, isScored, passResult } from '#server/exams/pass-and-rank.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { refuseMissingFiles } from './attachments.ts';
import type { finishExamReview, storeExamQuestion } from './exam.contract.ts';
import { findVisibleSubmission, nextExamReport, sheetNotFound } from './exam-review.ts';
import type { SavedMark } from './mark.contract.ts';
import { readTypedScore } from './mark.ts';
import { markedAnswer } from './review.ts';

export async function saveExamReview(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof storeExamQuestion>,
  { now, storage }: { now: number; storage: Storage },
): Promise<SavedMark | Refusal> {
  if (body.report_id === undefined) return sheetNotFound();
  const refusal = await refuseMissingFiles(storage, body);
  if (refusal) return refusal;
  const outcome = await gradeExamAnswer(db, actor, {
    reportId: body.report_id,
    questionId: body.question_id ?? 0,
    version: body.version ?? undefined,
    score: body.type === 2 ? ({ mode, full }) => readTypedScore(mode, full, body.score, 'score') : undefined,
    comment: body.remark,
    attachments: body.review_attachments,
    images: body.image,
    now,
  });
  return isRefusal(outcome) ? outcome : markedAnswer(outcome);
}

/** Finishes a submission. Returns its rank, whether it passed, and the next submission to grade. */
export async function finishExamGrading(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof finishExamReview>,
  now: number,
): Promise<{ exam_id: number; ranking: number | null; is_pass: 0 | 1 | 2; next_report_id: number | null } | Refusal> {
  const report = await findVisibleSubmission(db, actor, body.report_id);
  if (!report) return sheetNotFound();
  const { id: reportId, exam_id: examId } = report;
  const ended = await endSubmission(db, actor, { reportId, examId, comment: body.remark ?? '', now });
  if (isRefusal(ended)) return ended;
  const { is_effective } = await db
    .selectFrom('exam_report')
    .select('is_effective')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  const { rankOf } = await examRanks(db, examId, [ended.user_score]);
  return {
    exam_id: examId,
    ranking: is_effective === 1 && isScored(ended.exam) ? rankOf(ended.user_score) : null,
    is_pass: passResult(ended, ended.exam),
    next_report_id: await nextExamReport(db, actor, report, body.skip),
  };
}
