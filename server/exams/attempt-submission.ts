/** Submits a student's current attempt when the student asks for it. */
import { blankSentence, unansweredSentence } from '#server/grading/rules.ts';
import { isUnanswered } from '#server/grading/scoring.ts';
import { conflict, invalid, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { count } from '#server/platform/monitoring/metrics.ts';
import { type FoundAttempt, openAttempts, type TakerAnswers, takeAnswers } from './attempt-answers.ts';
import { type EndingAttempt, endAttempts, type SubmittedAttempt } from './attempt-end.ts';
import { attemptsOf, batchSize, latestTime, type Taker } from './attempts.ts';
import { learnerPaper } from './learner-paper.ts';
import { handInOverdue } from './overdue-attempts.ts';
import { examMessages } from './rules.ts';
import { type SentAnswer, savedAnswersOf } from './saved-answers.ts';

/**
 * Submits the saved answers together with the sent ones. 404: not visible. 409: not started, submitted with other
 * answers, time is up (the server has then submitted the saved answers), or another device has saved an answer since.
 * 422: unanswered questions without confirmation.
 */
export async function submitAttempt(
  db: Database,
  sent: TakerAnswers & { confirmBlank: boolean },
): Promise<SubmittedAttempt | Refusal> {
  const { taker, answers } = sent;
  const outcome = await submitBatch(db, taker.examId, sent);
  if (!isRefusal(outcome)) return outcome;
  const isTimeOver = outcome.msg === examMessages.timeOver;
  if (!isTimeOver && outcome.msg !== examMessages.handedIn) return outcome;
  await handInOverdue(db, taker.now, taker);
  const last = await lastHandedIn(db, taker);
  if (!last) return outcome;
  return !isTimeOver && (await hasAnswers(db, last.report_id, answers)) ? last : conflict(outcome.msg, last);
}

const submitBatch = groupCommit(
  batchSize,
  async (db: Database, sent: readonly (TakerAnswers & { confirmBlank: boolean })[], examId) => {
    const outcomes = await db.transaction().execute(async (trx): Promise<(SubmittedAttempt | Refusal)[]> => {
      const attempts = await openAttempts(trx, examId, sent);
      const { outcomes: taken, store } = await takeAnswers(trx, sent, attempts);
      await store();
      const unsure = sent.flatMap(({ confirmBlank }, place) => {
        const found = attempts[place];
        return confirmBlank || !found || isRefusal(found) || isRefusal(taken[place]) ? [] : [found];
      });
      const unanswered = await unansweredQuestions(trx, unsure);
      const ending = new Map<number, EndingAttempt>();
      const outcomes = sent.map(({ taker }, place) => {
        const found = attempts[place] as FoundAttempt;
        const refusal = [found, taken[place]].find((one) => isRefusal(one));
        if (refusal || isRefusal(found)) return refusal as Refusal;
        // If two devices submit at once, the second one gets the result of the first.
        if (ending.has(found.attempt.id)) return conflict(examMessages.handedIn);
        const open = sent[place]?.confirmBlank ? [] : (unanswered.get(found.attempt.id) ?? []);
        if (open.length > 0) return invalid({ confirm_blank: [unansweredSentence(open)] }, blankSentence(open.length));
        ending.set(found.attempt.id, { attempt: found.attempt, at: taker.now, byServer: 0 });
        return found;
      });
      const [exam] = outcomes.flatMap((found) => (isRefusal(found) ? [] : [found.exam]));
      const handedIn = exam
        ? await endAttempts(trx, exam, [...ending.values()], latestTime(sent.map(({ taker }) => taker)))
        : new Map<number, SubmittedAttempt>();
      return outcomes.map((found) => (isRefusal(found) ? found : (handedIn.get(found.attempt.id) as SubmittedAttempt)));
    });
    count('handIns', { kind: 'exam' }, outcomes.filter((one) => !isRefusal(one)).length);
    return outcomes;
  },
);

/** Returns the numbers of the unanswered questions of each attempt. */
async function unansweredQuestions(db: Database, found: readonly Exclude<FoundAttempt, Refusal>[]) {
  const [first] = found;
  if (!first) return new Map<number, string[]>();
  const ids = found.map(({ attempt }) => attempt.id);
  const answered = groupRows(
    (await savedAnswersOf(db, ids)).filter(({ user_answer }) => !isUnanswered(user_answer)),
    ({ attempt_id }) => attempt_id,
  );
  const { sections } = await learnerPaper(db, first.exam);
  const questions = sections.flatMap((section) => section.questions);
  return new Map(
    ids.map((id) => {
      const theirs = new Set((answered.get(id) ?? []).map(({ question_id }) => question_id));
      return [id, questions.filter((question) => !theirs.has(question.id)).map(({ sort }) => sort)];
    }),
  );
}

async function lastHandedIn(db: Database, taker: Taker): Promise<SubmittedAttempt | undefined> {
  return attemptsOf(db, taker)
    .innerJoin('exam_report', 'exam_report.id', 'exam_attempt.report_id')
    .where('exam_attempt.handed_in_at', 'is not', null)
    .select([
      'exam_report.id as report_id',
      'exam_report.test_status',
      'exam_report.submit_time',
      'exam_attempt.by_server',
    ])
    .orderBy('exam_attempt.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** True if the report consists of exactly these answers. */
async function hasAnswers(db: Database, reportId: number, answers: readonly SentAnswer[]): Promise<boolean> {
  const stored = await db
    .selectFrom('exam_answer')
    .select(['question_id', 'user_answer'])
    .where('report_id', '=', reportId)
    .execute();
  const known = new Map(stored.map(({ question_id, user_answer }) => [question_id, user_answer]));
  return answers.every(({ ques_id, user_answer }) => known.get(ques_id) === user_answer);
}
