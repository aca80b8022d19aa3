/** Judgments of single blanks: equal answers to the same blank follow, and the latest judgment counts. */
import { createHash } from 'node:crypto';
import { foldAnswer } from './answer-folding.ts';

export const blanksOf = (answer: string): string[] => answer.split('@@');

/** No text of a learner is kept with a judgment. `folded` as its question is scored. */
export const blankHash = (folded: string): string =>
  createHash('sha256').update(folded).digest('base64url').slice(0, 22);

interface StandingJudgment {
  question_id: number;
  blank: number;
  answer_hash: string;
  is_right: 1 | 2;
}

export type JudgeBlank = (blank: number, folded: string) => boolean | undefined;

/** By question, for `scoreAnswer`; the later of two counts. */
export function judgesOf(judgments: readonly StandingJudgment[]): Map<number, JudgeBlank> {
  const known = new Map<number, Map<string, boolean>>();
  for (const { question_id, blank, answer_hash, is_right } of judgments) {
    const ofQuestion = known.get(question_id) ?? new Map<string, boolean>();
    known.set(question_id, ofQuestion.set(`${blank} ${answer_hash}`, is_right === 1));
  }
  return new Map(
    [...known].map(([id, ofQuestion]) => [id, (blank, folded) => ofQuestion.get(`${blank} ${blankHash(folded)}`)]),
  );
}

export interface NewJudgment extends StandingJudgment {
  reason: string;
  staff_id: number;
  /** Unix seconds. */
  at: number;
}

/** The blanks of an answer, whether each counts as right, and what a grader has decided of it. */
export function judgedBlanks(
  { id, right_answer, ignore_case }: { id: number; right_answer: string; ignore_case: number },
  userAnswer: string,
  judgments: readonly (StandingJudgment & { id: number; name: string | null; reason: string })[],
) {
  const given = blanksOf(userAnswer);
  const fold = (blank: string) => foldAnswer(blank, ignore_case === 1);
  return blanksOf(right_answer).map((right, index) => {
    const answer = given[index] ?? '';
    const hash = blankHash(fold(answer));
    const judgment = judgments.findLast(
      (one) => one.question_id === id && one.blank === index + 1 && one.answer_hash === hash,
    );
    const isRight = judgment ? judgment.is_right === 1 : fold(right) === fold(answer);
    return {
      blank: index + 1,
      answer,
      right: isRight ? (1 as const) : (2 as const),
      judgment: judgment ? { id: judgment.id, name: judgment.name ?? '', reason: judgment.reason } : null,
    };
  });
}
