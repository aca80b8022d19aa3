/** Graders' judgments of single blanks. A judgment applies to all equal answers to the blank; the latest one counts. */
import { createHash } from 'node:crypto';
import { foldAnswer } from './answer-folding.ts';

export const blanksOf = (answer: string): string[] => answer.split('@@');

/** Hashes an answer, so that judgments store no student's text. `folded`: normalised as the question is scored. */
export const blankHash = (folded: string): string =>
  createHash('sha256').update(folded).digest('base64url').slice(0, 22);

interface CurrentJudgment {
  question_id: number;
  blank: number;
  answer_hash: string;
  is_right: 1 | 2;
}

export type JudgeBlank = (blank: number, folded: string) => boolean | undefined;

/**
 * Groups judgments by question, in the form that `scoreAnswer` takes. The latest of several judgments on equal answers
 * counts.
 */
export function judgmentsByQuestion(judgments: readonly CurrentJudgment[]): Map<number, JudgeBlank> {
  const known = new Map<number, Map<string, boolean>>();
  for (const { question_id, blank, answer_hash, is_right } of judgments) {
    const ofQuestion = known.get(question_id) ?? new Map<string, boolean>();
    known.set(question_id, ofQuestion.set(`${blank} ${answer_hash}`, is_right === 1));
  }
  return new Map(
    [...known].map(([id, ofQuestion]) => [id, (blank, folded) => ofQuestion.get(`${blank} ${blankHash(folded)}`)]),
  );
}

export interface NewJudgment extends CurrentJudgment {
  reason: string;
  staff_id: number;
  /** Unix seconds. */
  at: number;
}

/** Splits an answer into its blanks, each with its result and the grader's judgment. */
export function judgedBlanks(
  { id, right_answer, ignore_case }: { id: number; right_answer: string; ignore_case: number },
  userAnswer: string,
  judgments: readonly (CurrentJudgment & { id: number; name: string | null; reason: string })[],
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
