/**
 * 改判: a grader judges an answer to a blank right or wrong, with a reason. The judgment applies to all equal answers of
 * the homework, also to later ones. Judgments can be undone; of the others the latest counts.
 */

import { sql } from 'kysely';
import { judgmentsByQuestion, type NewJudgment } from '#server/grading/blank-judgments.ts';
import { reportStatus } from '#server/grading/rules.ts';
import { scoreAnswer } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { inYearOfReport } from './report-years.ts';

/** Lists the judgments of a homework that were not undone, latest last. */
export const currentJudgments = (db: Database, homeworkId: number) =>
  db
    .selectFrom('blank_judgment')
    .innerJoin('homework_question', 'homework_question.id', 'blank_judgment.question_id')
    .leftJoin('staff', 'staff.id', 'blank_judgment.staff_id')
    .select(['blank_judgment.id', 'question_id', 'blank', 'answer_hash', 'is_right', 'reason', 'at'])
    .select('staff.real_name as name')
    .where('homework_question.homework_id', '=', homeworkId)
    .where('undone_at', 'is', null)
    .orderBy('blank_judgment.id')
    .execute();

export async function storeJudgment(db: Database, judgment: NewJudgment): Promise<number> {
  const { id } = await db
    .insertInto('blank_judgment')
    .values({ ...judgment, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const judgmentOf = (db: Database, id: number) =>
  db
    .selectFrom('blank_judgment')
    .innerJoin('homework_question', 'homework_question.id', 'blank_judgment.question_id')
    .select([
      'blank_judgment.id',
      'question_id',
      'homework_id as assignment_id',
      'undone_at',
      'blank',
      'is_right',
      'reason',
    ])
    .where('blank_judgment.id', '=', id)
    .executeTakeFirst();

export const endJudgment = (db: Database, id: number, now: number) =>
  db.updateTable('blank_judgment').set({ undone_at: now }).where('id', '=', id).execute();

/** Scores all answers to the question again. Returns how many scores changed. */
export async function rescore(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { assignmentId: homeworkId, questionId, now }: { assignmentId: number; questionId: number; now: number },
): Promise<number> {
  const question = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type', 'right_answer', 'ignore_case', 'score'])
    .where('id', '=', questionId)
    .executeTakeFirstOrThrow();
  const judges = judgmentsByQuestion(await currentJudgments(db, homeworkId));
  const answers = await forUpdate(db)(
    db
      .selectFrom('report')
      .innerJoin('answer', 'answer.report_id', 'report.id')
      .select(['answer.id', 'answer.report_id', 'answer.user_answer', 'answer.status', 'answer.score'])
      .select('report.changed_at')
      .where('report.homework_id', '=', homeworkId)
      .where('report.status', '<>', reportStatus.notSubmitted)
      .where('answer.question_id', '=', questionId)
      .orderBy('report.id'),
    ['report', 'answer'],
  ).execute();
  const changed = answers.flatMap((answer) => {
    const scored = scoreAnswer({ ...question, judge: judges.get(questionId) }, answer.user_answer);
    return scored.status === answer.status && scored.score === answer.score ? [] : [{ answer, scored }];
  });
  for (const { answer, scored } of changed) {
    const gained = (scored.score ?? 0) - (answer.score ?? 0);
    await db
      .updateTable('answer')
      .set({ status: scored.status, score: scored.score })
      .where('id', '=', answer.id)
      .where('report_id', '=', answer.report_id)
      .execute();
    await db
      .updateTable('report')
      .set({
        objective_score: sql<number>`objective_score + ${gained}`,
        user_score: sql<number>`user_score + ${gained}`,
        changed_at: Math.max(now, answer.changed_at + 1),
      })
      .where('id', '=', answer.report_id)
      .where(inYearOfReport(answer.report_id))
      .execute();
    const { status, score } = answer;
    await recordHistory(db, {
      actor,
      now,
      record: 'answer',
      recordId: answer.id,
      action: 'rejudge',
      before: { status, score },
      after: { status: scored.status, score: scored.score },
    });
  }
  return changed.length;
}
