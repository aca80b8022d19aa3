/** Saves a student's answers while the exam is being taken. */
import { sql } from 'kysely';
import { answerMessages } from '#server/grading/rules.ts';
import { answerFaults } from '#server/grading/submitted-answer.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupCommit } from '#server/platform/db/group-commit.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Exam } from '#server/schema/database.ts';
import {
  type Attempt,
  attemptsOf,
  batchSize,
  isEndReached,
  lockAttempts,
  lockExam,
  type Taker,
  visibleStudents,
} from './attempts.ts';
import { learnerPaper } from './learner-paper.ts';
import { attemptEnd, examMessages, missingExam } from './rules.ts';
import { type SavedAnswer, SavedAnswers, type SentAnswer, savedAnswersOf } from './saved-answers.ts';

export interface TakerAnswers {
  taker: Taker;
  answers: readonly SentAnswer[];
  /** Id of the learner's sign-in, as the name of the device; '' with a service token, which serves many devices. */
  device: string;
}

/** Locks the current attempt of each student. Returns for each student the attempt, or a refusal if none is open. */
export async function openAttempts(db: Database, examId: number, sent: readonly TakerAnswers[]) {
  const attemptOf = await lockAttempts(
    db,
    examId,
    sent.map(({ taker }) => taker),
  );
  const [exam] = attemptOf.size > 0 ? await examById(db, { examId }) : [];
  const found: FoundAttempt[] = [];
  for (const { taker } of sent) {
    const attempt = attemptOf.get(taker.studentId);
    if (!attempt || !exam) {
      found.push(await refusalWithoutAttempt(db, taker));
      continue;
    }
    const ends_at = attemptEnd(attempt, exam);
    const isLate = isEndReached(ends_at, taker.now);
    found.push(isLate ? conflict(examMessages.timeOver, { ends_at, now: taker.now }) : { attempt, exam, ends_at });
  }
  return found;
}

const examById = prepared((db, { examId }: Placeholders<{ examId: number }>) =>
  db.selectFrom('exam').selectAll().where('id', '=', examId),
);

async function refusalWithoutAttempt(db: Database, taker: Taker): Promise<Refusal> {
  const exam = await lockExam(db, taker.examId);
  if (!exam || !(await visibleStudents(db, exam, [taker])).has(taker.studentId)) return missing(missingExam);
  const any = await attemptsOf(db, taker).select('id').limit(1).executeTakeFirst();
  return conflict(any ? examMessages.handedIn : examMessages.noAttempt);
}

interface Saved {
  /** Number of sent answers that were saved. */
  saved: number;
  ends_at: number | null;
  now: number;
  /** Each sent question with the version of its current answer. */
  answers: { ques_id: number; version: number }[];
}

/** The current answer of a question, returned when the sent one was not saved. */
const currentAnswer = ({ question_id, user_answer, is_sign, version, saved_at }: SavedAnswer) => ({
  ques_id: question_id,
  user_answer,
  is_sign,
  version,
  saved_at,
});

/**
 * Saves answers. 404: not visible. 422: an answer to a question of another exam, or an unknown option. 409: not
 * started, submitted, or time is up. Also 409 if another device has saved one of the answers since: then `data` lists
 * these with their current answers, and all others are saved.
 */
export const saveAttemptAnswers = (db: Database, sent: TakerAnswers): Promise<Saved | Refusal> =>
  saveBatch(db, sent.taker.examId, sent);

const saveBatch = groupCommit(batchSize, (db: Database, sent: readonly TakerAnswers[], examId) =>
  db.transaction().execute(async (trx): Promise<(Saved | Refusal)[]> => {
    const attempts = await openAttempts(trx, examId, sent);
    const { outcomes, store } = await takeAnswers(trx, sent, attempts);
    await store();
    const saves = new Map<number, number>();
    sent.forEach(({ answers }, place) => {
      const found = attempts[place];
      if (!found || isRefusal(found) || isRefusal(outcomes[place]) || answers.length === 0) return;
      saves.set(found.attempt.id, (saves.get(found.attempt.id) ?? 0) + 1);
    });
    for (const [times, of] of groupRows([...saves], ([, times]) => times)) {
      await countSaves(trx, { times, ids: JSON.stringify(of.map(([id]) => id)) });
    }
    return outcomes;
  }),
);

export type FoundAttempt = { attempt: Attempt; exam: Exam; ends_at: number | null } | Refusal;

/** Merges the sent answers into the attempts; `store` of the result writes them. */
export async function takeAnswers(db: Database, sent: readonly TakerAnswers[], attempts: readonly FoundAttempt[]) {
  const open = attempts.flatMap((found) => (isRefusal(found) ? [] : [found]));
  const isSent = sent.some(({ answers }, place) => answers.length > 0 && !isRefusal(attempts[place]));
  const questions = isSent && open[0] ? await questionsById(db, open[0].exam) : new Map();
  const ids = isSent ? [...new Set(open.map(({ attempt }) => attempt.id))] : [];
  const saved = new SavedAnswers(await savedAnswersOf(db, ids));
  const outcomes = sent.map(({ taker: { now }, answers, device }, place): Saved | Refusal => {
    const found = attempts[place] as FoundAttempt;
    if (isRefusal(found)) return found;
    const faults = answerFaults(answers, questions, examMessages.wrongAnswers);
    if (faults) return invalid(faults);
    const taken = answers.map((answer) => saved.save(found.attempt.id, answer, { now, device }));
    const kept = taken.filter((one) => one.kept);
    const outcome = {
      saved: kept.length,
      ends_at: found.ends_at,
      now,
      answers: taken.map(({ stands }) => ({ ques_id: stands.question_id, version: stands.version })),
    };
    if (kept.length === answers.length) return outcome;
    const not_kept = taken.filter((one) => !one.kept).map(({ stands }) => currentAnswer(stands));
    return conflict(answerMessages.otherDevice, { ...outcome, not_kept });
  });
  return { outcomes, store: () => saved.store(db) };
}

/** Takes the questions from the cached paper, which is the same for all students. */
async function questionsById(db: Database, exam: Exam) {
  const { sections } = await learnerPaper(db, exam);
  return new Map(
    sections.flatMap(({ questions }) =>
      questions.map(({ id, ques_type, ques_option }) => [id, { ques_type, options: ques_option }] as const),
    ),
  );
}

const countSaves = prepared((db, { times, ids }: Placeholders<{ times: number; ids: string }>) =>
  db
    .updateTable('exam_attempt')
    .set({ saves: sql<number>`saves + ${times}` })
    .where('id', 'in', inJsonIds(db, ids)),
);
