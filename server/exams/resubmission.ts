/**
 * Rewrites the report of a resumed attempt, which the server had submitted before the exam's end was moved. Unchanged
 * answers keep their marks. A changed answer loses its mark, and the history records that.
 */

import type { Selectable } from 'kysely';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { type AnswerStatus, reportStatus } from '#server/grading/rules.ts';
import { reportTotals } from '#server/grading/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Exam } from '#server/schema/database.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import { type CountedSubmission, recountSubmissions } from './figures.ts';
import { testStatus } from './rules.ts';
import { meetsFinishConditions, type ScoredAnswers, type ScoredSubmission } from './submission.ts';

type Answer = Selectable<Tables['exam_answer']>;

interface SubmissionAgain extends ScoredSubmission {
  reportId: number;
}

/** Columns of an answer without a mark. */
const unmarked = {
  review_comment: '',
  review_attachments: '[]',
  review_images: '[]',
  reviewed_by: null,
  reviewed_at: null,
} as const;

/** Rewrites reports, in the order of `submissions`, and moves the sums of the exam. Call with the exam locked. */
export async function rewriteSubmissions(
  db: Database,
  exam: Exam,
  submissions: readonly SubmissionAgain[],
): Promise<{ id: number; report: CountedSubmission['report'] }[]> {
  if (submissions.length === 0) return [];
  const ids = submissions.map(({ reportId }) => reportId);
  const reports = await forUpdate(db)(
    db.selectFrom('exam_report').selectAll().where('id', 'in', ids).orderBy('id'),
  ).execute();
  const stored = await forUpdate(db)(
    db.selectFrom('exam_answer').selectAll().where('report_id', 'in', ids).orderBy('id'),
  ).execute();
  const changes = [];
  for (const submission of submissions) {
    const report = reports.find(({ id }) => id === submission.reportId);
    if (!report) throw new Error('an attempt names a report that is not there');
    const answers = new Map(
      stored.filter(({ report_id }) => report_id === report.id).map((one) => [one.question_id, one]),
    );
    const results = await answerAgain(db, submission, answers);
    const { status, ...totals } = reportTotals(results);
    const isGraded = status === reportStatus.graded;
    const { submitTime, answerTime, writtenAt } = submission;
    const after = {
      ...totals,
      test_status: isGraded ? testStatus.reviewed : testStatus.waiting,
      submit_time: submitTime,
      answer_time: answerTime,
      is_finish_conditions: meetsFinishConditions(exam, answerTime, results) ? (1 as const) : (0 as const),
      graded_at: isGraded ? (report.graded_at ?? submitTime) : null,
      graded_by: isGraded ? report.graded_by : null,
    };
    await db
      .updateTable('exam_report')
      .set({ ...after, changed_at: nextChangedAt(writtenAt) })
      .where('id', '=', report.id)
      .execute();
    await recordHistory(db, {
      actor: null,
      now: writtenAt,
      record: 'exam_report',
      recordId: report.id,
      action: 'resubmit',
      before: { test_status: report.test_status, user_score: report.user_score },
      after: { test_status: after.test_status, user_score: after.user_score },
    });
    const question = (one: ScoredAnswers[number]) => ({ question: one.question });
    changes.push({
      id: report.id,
      before: {
        report,
        scored: submission.scored.map((one) => {
          const { user_answer = '', status = 0, score = 0 } = answers.get(one.question.id) ?? {};
          return { ...question(one), userAnswer: user_answer, status: status as AnswerStatus, score };
        }),
      },
      after: { report: { ...report, ...after }, scored: results },
    });
  }
  await recountSubmissions(db, exam, changes);
  return changes.map(({ id, after: { report } }) => ({ id, report }));
}

/** Writes the answers that changed; returns all answers with their scores. */
async function answerAgain(
  db: Database,
  { scored, writtenAt }: SubmissionAgain,
  stored: ReadonlyMap<number, Answer>,
): Promise<ScoredAnswers> {
  const results: ScoredAnswers = [];
  for (const one of scored) {
    const before = stored.get(one.question.id);
    if (!before) throw new Error('a report has no answer to a question of its exam');
    const is_sign = one.isSigned ? 1 : 0;
    const row = db.updateTable('exam_answer').where('id', '=', before.id);
    if (before.user_answer === one.userAnswer) {
      if (before.is_sign !== is_sign) await row.set({ is_sign }).execute();
      results.push({ ...one, status: before.status as AnswerStatus, score: before.score });
      continue;
    }
    results.push(one);
    await row
      .set({
        ...unmarked,
        user_answer: one.userAnswer,
        answer_key: sameAnswerKey(one.userAnswer, one.status),
        status: one.status,
        score: one.score,
        is_sign,
        version: before.version + 1,
      })
      .execute();
    if (before.reviewed_by === null) continue;
    await recordHistory(db, {
      actor: null,
      now: writtenAt,
      record: 'exam_answer',
      recordId: before.id,
      action: 'resubmit',
      before: {
        status: before.status,
        score: before.score,
        comment: before.review_comment,
        attachments: before.review_attachments,
        images: before.review_images,
      },
      after: { status: one.status, score: one.score },
    });
  }
  return results;
}
