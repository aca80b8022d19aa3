/**
 * Judges blanks of exams right or wrong (改判), as homework/blank-judgments.ts does for homework. A judgment changes the
 * score of all equal answers, and so the sums and ranks of the exam.
 */
import { judgmentsByQuestion, type NewJudgment } from '#server/grading/blank-judgments.ts';
import type { AnswerStatus } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { updateMany } from '#server/platform/db/group-commit.ts';
import { recordHistoryOfMany } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { currentExamJudgments } from './current-judgments.ts';
import { recountSubmissions } from './figures.ts';
import { scoreExamAnswer } from './submission.ts';
import { isVisibleExamReport } from './visible.ts';

export async function storeExamJudgment(db: Database, judgment: NewJudgment): Promise<number> {
  const { id } = await db
    .insertInto('exam_blank_judgment')
    .values({ ...judgment, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const examJudgmentOf = (db: Database, id: number) =>
  db
    .selectFrom('exam_blank_judgment')
    .innerJoin('exam_question', 'exam_question.id', 'exam_blank_judgment.question_id')
    .select([
      'exam_blank_judgment.id',
      'question_id',
      'exam_id as assignment_id',
      'undone_at',
      'blank',
      'is_right',
      'reason',
    ])
    .where('exam_blank_judgment.id', '=', id)
    .executeTakeFirst();

export const endExamJudgment = (db: Database, id: number, now: number) =>
  db.updateTable('exam_blank_judgment').set({ undone_at: now }).where('id', '=', id).execute();

/** Selects an answer of a visible report with its question. */
export const examAnswerToJudge = (db: Database, actor: Actor, reportId: number, questionId: number) =>
  db
    .selectFrom('exam_answer')
    .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
    .innerJoin('exam_question', 'exam_question.id', 'exam_answer.question_id')
    .select(['exam_report.exam_id as assignment_id', 'exam_answer.user_answer', 'exam_question.ques_type'])
    .select('exam_question.ignore_case')
    .where('exam_answer.report_id', '=', reportId)
    .where('exam_answer.question_id', '=', questionId)
    .where((eb) => isVisibleExamReport(db, actor)(eb as never))
    .executeTakeFirst();

/** Maximum number of rows per SQL statement. */
const atOnce = 500;

/** Scores all answers to a question again; returns how many changed. Call with the exam locked. */
export async function rescoreExam(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { assignmentId: examId, questionId, now }: { assignmentId: number; questionId: number; now: number },
): Promise<number> {
  const exam = await db
    .selectFrom('exam')
    .select(['id', 'pass_score'])
    .where('id', '=', examId)
    .executeTakeFirstOrThrow();
  const question = await db
    .selectFrom('exam_question')
    .select(['id', 'ques_type', 'right_answer', 'ignore_case', 'score', 'answer_score'])
    .where('id', '=', questionId)
    .executeTakeFirstOrThrow();
  const judge = judgmentsByQuestion(await currentExamJudgments(db, { examId })).get(questionId);
  const answers = await forUpdate(db)(
    db
      .selectFrom('exam_report')
      .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
      .selectAll('exam_report')
      .select(['exam_answer.id as answer_id', 'exam_answer.user_answer', 'exam_answer.status', 'exam_answer.score'])
      .where('exam_report.exam_id', '=', examId)
      .where('exam_answer.question_id', '=', questionId)
      .orderBy('exam_report.id'),
    ['exam_report', 'exam_answer'],
  ).execute();
  const changed = answers.flatMap(({ answer_id, user_answer, status, score, ...report }) => {
    const before = { status: status as AnswerStatus, score };
    const after = scoreExamAnswer({ ...question, judge }, user_answer);
    const gained = (after.score ?? 0) - (score ?? 0);
    const isSame = after.status === status && after.score === score;
    return isSame ? [] : [{ answer_id, userAnswer: user_answer, report, before, after, gained }];
  });
  for (let from = 0; from < changed.length; from += atOnce) {
    const some = changed.slice(from, from + atOnce);
    await updateMany(
      db,
      'exam_answer',
      some.map(({ answer_id, after }) => ({ id: answer_id, status: after.status, score: after.score })),
    );
    await updateMany(
      db,
      'exam_report',
      some.map(({ report, gained }) => ({
        id: report.id,
        objective_score: report.objective_score + gained,
        user_score: report.user_score + gained,
        changed_at: Math.max(now, report.changed_at + 1),
      })),
    );
  }
  await recordHistoryOfMany(db, {
    actor,
    now,
    record: 'exam_answer',
    action: 'rejudge',
    changes: changed.map(({ answer_id, before, after }) => ({ recordId: answer_id, before, after })),
  });
  await recountSubmissions(
    db,
    exam,
    changed.map(({ report, userAnswer, before, after, gained }) => ({
      before: { report, scored: [{ question, userAnswer, ...before }] },
      after: {
        report: { ...report, user_score: report.user_score + gained },
        scored: [{ question, userAnswer, ...after }],
      },
    })),
  );
  return changed.length;
}
