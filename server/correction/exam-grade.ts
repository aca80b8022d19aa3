/** Marking and finishing a submission of an exam: the rules of homework over the exam's tables and sums. */
import { sql } from 'kysely';
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { recordHistory } from '#server/db/history.ts';
import type { Exam } from '#server/db/schema.ts';
import { locked } from '#server/db/search.ts';
import { countGraded, countMark, examRanks, isPassed, testStatus } from '#server/exams/figures.ts';
import { isSeenExamReport, seesExamReport } from '#server/exams/visible.ts';
import { reviewed } from '#server/homework/answer-review.ts';
import { type AnswerStatus, answerStatus, byScore } from '#server/homework/scoring.ts';
import type { BodyOf } from '#server/http/call.ts';
import { conflict, isRefusal, missing, type Refusal } from '#server/http/outcome.ts';
import type { Marked, storeExamQuestion, storeExamReview } from './contract.ts';
import { nextExamReport, seenSubmission, unknownSheet } from './exam-review.ts';
import { readMark } from './mark.ts';
import { markedAnswer } from './review.ts';

export async function saveExamReview(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof storeExamQuestion>,
  now: number,
): Promise<Marked | Refusal> {
  const { report_id: reportId, question_id: questionId } = body;
  if (reportId === undefined) return unknownSheet();
  const answer = await heldAnswer(db, actor, reportId, questionId);
  if (!answer) return refuseUnknown(db, actor, reportId);
  if (answer.test_status !== testStatus.waiting) return finished();
  const outcome = await reviewed(db, actor, answer, byScore, {
    version: body.version ?? undefined,
    score: body.type === 2 ? ({ mode, full }) => readMark(mode, full, body.score, 'score') : undefined,
    comment: body.remark,
    attachments: body.review_attachments,
    images: body.image,
    now,
  });
  if (isRefusal(outcome)) return outcome;
  const { change } = outcome;
  if (change) {
    const { row, gained, before, after } = change;
    await db.updateTable('exam_answer').set(row).where('id', '=', answer.id).execute();
    if (gained !== 0) {
      await db
        .updateTable('exam_report')
        .set({
          subjective_score: sql<number>`subjective_score + ${gained}`,
          user_score: sql<number>`user_score + ${gained}`,
        })
        .where('id', '=', reportId)
        .execute();
    }
    const stood = {
      before: { ...before, status: before.status as AnswerStatus },
      after: { ...after, status: after.status as AnswerStatus },
    };
    await countMark(db, { questionId: answer.question_id, schoolId: answer.school_id, ...stood });
    const record = { record: 'exam_answer', recordId: answer.id, action: 'grade' };
    await recordHistory(db, { actor, now, ...record, before, after });
  }
  return markedAnswer(outcome);
}

/** The answer with what decides about it, held until the end of the transaction together with its report. */
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
    .where((eb) => isSeenExamReport(db, actor)(eb as never));
  return locked(db)(answer, ['exam_answer', 'exam_report']).executeTakeFirst();
}

async function refuseUnknown(db: Database, actor: Actor, reportId: number): Promise<Refusal> {
  return (await seesExamReport(db, actor, reportId)) ? missing('题目不存在') : unknownSheet();
}

const finished = () => conflict('该答卷已批改完成，不能重复批改');

/** Ends the correction of a submission; its rank, whether it is passed, and the submission that comes next. */
export async function saveExamFinish(
  db: Database,
  actor: Actor,
  body: BodyOf<typeof storeExamReview>,
  now: number,
): Promise<{ exam_id: number; ranking: number; is_pass: 1 | 2; next_report_id: number | null } | Refusal> {
  const here = await seenSubmission(db, actor, body.report_id);
  if (!here) return unknownSheet();
  const { id: reportId, exam_id: examId } = here;
  const ended = await endSubmission(db, actor, { reportId, examId, comment: body.remark ?? '', now });
  if (isRefusal(ended)) return ended;
  const { rankOf } = await examRanks(db, examId, [ended.user_score]);
  return {
    exam_id: examId,
    ranking: rankOf(ended.user_score),
    is_pass: isPassed(ended, ended.exam) ? 1 : 2,
    next_report_id: await nextExamReport(db, actor, here, body.skip),
  };
}

/** From now on the submission has a rank and is passed or failed; only when no answer waits, and once. */
export async function endSubmission(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { reportId, examId, comment, now }: { reportId: number; examId: number; comment: string; now: number },
): Promise<{ exam: Exam; test_status: number; user_score: number } | Refusal> {
  // The exam first, as where reports are handed in: its sums move one after the other.
  const exam = await db
    .selectFrom('exam')
    .selectAll()
    .where('id', '=', examId)
    .$call(locked(db))
    .executeTakeFirstOrThrow();
  const report = await db
    .selectFrom('exam_report')
    .selectAll()
    .where('id', '=', reportId)
    .$call(locked(db))
    .executeTakeFirstOrThrow();
  if (report.test_status !== testStatus.waiting) return finished();
  const waiting = await db
    .selectFrom('exam_answer')
    .select('id')
    .where('report_id', '=', reportId)
    .where('status', '=', answerStatus.waiting)
    .limit(1)
    .executeTakeFirst();
  if (waiting) return conflict('还有题目未批改，不能完成批改');
  const after = { test_status: testStatus.reviewed, user_score: report.user_score };
  await db
    .updateTable('exam_report')
    .set({ test_status: after.test_status, graded_at: now, graded_by: actor.id, comment })
    .where('id', '=', reportId)
    .execute();
  await countGraded(db, exam, report);
  const record = { record: 'exam_report', recordId: reportId, action: 'finish' };
  await recordHistory(db, { actor, now, ...record, before: { test_status: report.test_status }, after });
  return { exam, ...after };
}
