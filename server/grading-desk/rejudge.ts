/** 改判: a grader judges a blank right or wrong, and can undo the judgment. The code is shared by homework and exams. */

import {
  endExamJudgment,
  examAnswerToJudge,
  examJudgmentOf,
  rescoreExam,
  storeExamJudgment,
} from '#server/exams/blank-judgments.ts';
import { canSeeExamReport, findVisibleExam } from '#server/exams/visible.ts';
import { foldAnswer } from '#server/grading/answer-folding.ts';
import { blankHash, blanksOf, type NewJudgment } from '#server/grading/blank-judgments.ts';
import { endJudgment, judgmentOf, rescore, storeJudgment } from '#server/homework/blank-judgments.ts';
import { gradingFault } from '#server/homework/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import type { RuleContext } from '#server/school/context.ts';
import { sheetNotFound } from './exam-review.ts';
import { reportNotFound } from './review.ts';
import { gradingMessages, rejudgeFault, rejudgeReasonFault } from './rules.ts';
import { visibleReportsById } from './visible.ts';

interface JudgedAnswer {
  /** Id of the homework or of the exam. */
  assignment_id: number;
  user_answer: string;
  ques_type: number;
  ignore_case: number;
}

interface Judgment {
  id: number;
  question_id: number;
  assignment_id: number;
  undone_at: number | null;
  blank: number;
  is_right: number;
  reason: string;
}

/** Operations that differ between homework and exams. */
interface RejudgeTarget {
  /**
   * Record type in the history. It is also the name of the table whose row is locked while all answers are scored
   * again.
   */
  record: 'homework' | 'exam';
  /** Returns the answer to judge. Refuses answers that the actor does not see, and answers of recalled homework. */
  answer(
    db: Database,
    actor: Actor,
    request: { reportId: number; questionId: number },
  ): Promise<JudgedAnswer | Refusal>;
  /** Why the actor may not undo a judgment. */
  refuse(db: Database, actor: Actor, assignmentId: number): Promise<Refusal | undefined>;
  save(db: Database, judgment: NewJudgment): Promise<number>;
  find(db: Database, id: number): Promise<Judgment | undefined>;
  end(db: Database, id: number, now: number): Promise<unknown>;
  scoreAgain(
    db: Database,
    actor: Actor,
    request: { assignmentId: number; questionId: number; now: number },
  ): Promise<number>;
}

/** Judgments in homework. `answer` refuses with 404 (no such answer) or 409 (the homework is recalled). */
export const homeworkJudgments: RejudgeTarget = {
  record: 'homework',
  async answer(db, actor, { reportId, questionId }) {
    const report = await visibleReportsById(db, actor)
      .select(['homework.id as homework_id', 'homework.status as hw_status'])
      .where('report.id', '=', reportId)
      .executeTakeFirst();
    if (!report) return reportNotFound();
    const refusal = refuseFor('conflict', gradingFault({ status: report.hw_status }));
    if (refusal) return refusal;
    const answer = await db
      .selectFrom('answer')
      .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
      .select(['answer.user_answer', 'homework_question.ques_type', 'homework_question.ignore_case'])
      .where('answer.report_id', '=', reportId)
      .where('answer.question_id', '=', questionId)
      .executeTakeFirst();
    return answer ? { ...answer, assignment_id: report.homework_id } : missing(missingQuestion);
  },
  async refuse(db, actor, assignmentId) {
    const homework = await visibleReportsById(db, actor)
      .select('homework.status')
      .where('homework.id', '=', assignmentId)
      .limit(1)
      .executeTakeFirst();
    return homework ? refuseFor('conflict', gradingFault(homework)) : missing();
  },
  save: storeJudgment,
  find: judgmentOf,
  end: endJudgment,
  scoreAgain: rescore,
};

/** Judgments in exams. `answer` refuses with 404 (no such answer). Finished submissions are scored again too. */
export const examJudgments: RejudgeTarget = {
  record: 'exam',
  async answer(db, actor, { reportId, questionId }) {
    const answer = await examAnswerToJudge(db, actor, reportId, questionId);
    if (answer) return answer;
    return (await canSeeExamReport(db, actor, reportId)) ? missing(missingQuestion) : sheetNotFound();
  },
  async refuse(db, actor, assignmentId) {
    const exam = await findVisibleExam(db, actor, assignmentId);
    return isRefusal(exam) ? missing() : undefined;
  },
  save: storeExamJudgment,
  find: examJudgmentOf,
  end: endExamJudgment,
  scoreAgain: rescoreExam,
};

interface JudgmentRequest {
  report_id?: number | undefined;
  ques_id?: number | undefined;
  /** Number of the blank, from 1. */
  blank?: number | undefined;
  right?: 1 | 2 | undefined;
  reason: string;
}

/**
 * Saves a judgment and scores all answers again; `count` is the number of changed scores. Refuses what `target.answer`
 * refuses. 409: not a fill-in question. 422: the blank is empty, or the reason is missing.
 */
export async function rejudge(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  target: RejudgeTarget,
  { report_id = 0, ques_id = 0, blank = 0, right, reason: typed }: JudgmentRequest,
): Promise<{ judgment_id: number; count: number } | Refusal> {
  const answer = await target.answer(db, actor, { reportId: report_id, questionId: ques_id });
  if (isRefusal(answer)) return answer;
  const kind = refuseFor('conflict', rejudgeFault(answer));
  if (kind) return kind;
  const answerText = blanksOf(answer.user_answer)[blank - 1];
  const reason = typed.trim();
  const fault = rejudgeReasonFault(reason);
  const errors = {
    ...(answerText === undefined || answerText.trim() === '' ? { blank: [gradingMessages.blank] } : {}),
    ...(right === undefined ? { right: [gradingMessages.rightOrWrong] } : {}),
    ...(fault ? { reason: [fault] } : {}),
  };
  if (answerText === undefined || right === undefined || Object.keys(errors).length > 0) return invalid(errors);
  const assignmentId = answer.assignment_id;
  await lockRecord(db, target, assignmentId);
  const answer_hash = blankHash(foldAnswer(answerText, answer.ignore_case === 1));
  const judgment = { question_id: ques_id, blank, answer_hash, is_right: right, reason };
  const id = await target.save(db, { ...judgment, staff_id: actor.id, at: now });
  const count = await target.scoreAgain(db, actor, { assignmentId, questionId: ques_id, now });
  await recordHistory(db, {
    actor,
    now,
    record: target.record,
    recordId: assignmentId,
    action: 'rejudge',
    before: null,
    after: { question: ques_id, blank, is_right: right, reason, answers: count },
  });
  return { judgment_id: id, count };
}

/** Locks the homework or exam, because a judgment scores all its answers again: judgments run one after the other. */
const lockRecord = (db: Database, { record }: RejudgeTarget, id: number) =>
  record === 'homework'
    ? forUpdate(db)(db.selectFrom('homework').select('id').where('id', '=', id)).execute()
    : forUpdate(db)(db.selectFrom('exam').select('id').where('id', '=', id)).execute();

/**
 * Undoes a judgment and scores all answers again. 404: the actor sees no such judgment. 409: the judgment was undone
 * before, or the homework is recalled.
 */
export async function undoJudgment(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  target: RejudgeTarget,
  judgmentId = 0,
): Promise<{ count: number } | Refusal> {
  const found = await target.find(db, judgmentId);
  if (!found) return missing();
  const refusal = await target.refuse(db, actor, found.assignment_id);
  if (refusal) return refusal;
  const { assignment_id: assignmentId, question_id: questionId, blank, is_right, reason } = found;
  await lockRecord(db, target, assignmentId);
  const judgment = await target.find(db, judgmentId);
  if (judgment?.undone_at !== null) return conflict(gradingMessages.judgmentUndone);
  await target.end(db, judgment.id, now);
  const count = await target.scoreAgain(db, actor, { assignmentId, questionId, now });
  await recordHistory(db, {
    actor,
    now,
    record: target.record,
    recordId: assignmentId,
    action: 'undo',
    before: { question: questionId, blank, is_right, reason },
    after: { answers: count },
  });
  return { count };
}
