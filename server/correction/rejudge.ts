/** Setting an answer to a blank right or wrong, and taking that back. */
import { foldAnswer } from '#server/homework/answer-folding.ts';
import {
  blankHash,
  blanksOf,
  endJudgment,
  judgmentOf,
  keepJudgment,
  scoreAgain,
} from '#server/homework/blank-judgments.ts';
import { correctionFault } from '#server/homework/rules.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { rejudgeBlank, undoRejudge } from './homework.contract.ts';
import { unknownReport } from './review.ts';
import { correctionMessages, rejudgeFault, rejudgeReasonFault } from './rules.ts';
import { namedReports } from './visible.ts';

/** Refused: 404 no such answer, 409 recalled or not handed in, 422 no blank that was filled in, or no reason. */
export async function rejudge(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  body: BodyOf<typeof rejudgeBlank>,
): Promise<{ judgment_id: number; count: number } | Refusal> {
  const { report_id = 0, ques_id = 0, blank = 0, right } = body;
  const report = await namedReports(db, actor)
    .select(['homework.id as homework_id', 'homework.status as hw_status', 'report.status'])
    .where('report.id', '=', report_id)
    .executeTakeFirst();
  if (!report) return unknownReport();
  const refusal = refuseFor('conflict', correctionFault({ status: report.hw_status }));
  if (refusal) return refusal;
  const answer = await db
    .selectFrom('answer')
    .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
    .select(['answer.id', 'answer.user_answer', 'homework_question.ques_type', 'homework_question.ignore_case'])
    .where('answer.report_id', '=', report_id)
    .where('answer.question_id', '=', ques_id)
    .executeTakeFirst();
  if (!answer) return missing(missingQuestion);
  const kind = refuseFor('conflict', rejudgeFault(answer));
  if (kind) return kind;
  const given = blanksOf(answer.user_answer)[blank - 1];
  const reason = body.reason.trim();
  const fault = rejudgeReasonFault(reason);
  const errors = {
    ...(given === undefined || given.trim() === '' ? { blank: [correctionMessages.blank] } : {}),
    ...(right === undefined ? { right: [correctionMessages.rightOrWrong] } : {}),
    ...(fault ? { reason: [fault] } : {}),
  };
  if (given === undefined || right === undefined || Object.keys(errors).length > 0) return invalid(errors);
  // Judgments of one homework come one after the other: each scores all its answers anew.
  await locked(db)(db.selectFrom('homework').select('id').where('id', '=', report.homework_id)).execute();
  const judgment = {
    question_id: ques_id,
    blank,
    answer_hash: blankHash(foldAnswer(given, answer.ignore_case === 1)),
    is_right: right,
    reason,
  };
  const id = await keepJudgment(db, { ...judgment, staff_id: actor.id, at: now });
  const count = await scoreAgain(db, actor, { homeworkId: report.homework_id, questionId: ques_id, now });
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: report.homework_id,
    action: 'rejudge',
    before: null,
    after: { question: ques_id, blank, is_right: right, reason, answers: count },
  });
  return { judgment_id: id, count };
}

/** Refused: 404 no such judgment of homework that the actor sees, 409 taken back already or recalled. */
export async function takeJudgmentBack(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { judgment_id = 0 }: BodyOf<typeof undoRejudge>,
): Promise<{ count: number } | Refusal> {
  const judgment = await judgmentOf(db, judgment_id);
  const homework =
    judgment &&
    (await namedReports(db, actor)
      .select('homework.status')
      .where('homework.id', '=', judgment.homework_id)
      .limit(1)
      .executeTakeFirst());
  if (!judgment || !homework) return missing();
  if (judgment.undone_at !== null) return conflict(correctionMessages.judgmentUndone);
  const refusal = refuseFor('conflict', correctionFault(homework));
  if (refusal) return refusal;
  const { homework_id: homeworkId, question_id: questionId, blank, is_right, reason } = judgment;
  await locked(db)(db.selectFrom('homework').select('id').where('id', '=', homeworkId)).execute();
  await endJudgment(db, judgment.id, now);
  const count = await scoreAgain(db, actor, { homeworkId, questionId, now });
  await recordHistory(db, {
    actor,
    now,
    record: 'homework',
    recordId: homeworkId,
    action: 'undo',
    before: { question: questionId, blank, is_right, reason },
    after: { answers: count },
  });
  return { count };
}
