/**
 * Scores answers. Has no side effects.
 *
 * Scores are stored as whole numbers: tenths of a point if the homework sets scores (`is_set_score` 2), hundredths of a
 * point if it is rated (`is_set_score` 1) and every question is worth 1 point. A quarter of a point is no whole number
 * of tenths, and 25 % must stay 25 %. Only `unitsPerPoint` in rules.ts knows the difference; sums, shares and ranks
 * work alike in both units.
 */

import { type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import { isBlankHtml } from '#server/platform/text/rules.ts';
import { foldAnswer } from './answer-folding.ts';
import {
  type AnswerFormat,
  type AnswerStatus,
  answerFormats,
  answerStatus,
  blankMarkFault,
  fillIn,
  isSubjective,
  pointsOf,
  ratedFullScore,
  rateMode,
  reportStatus,
  type ScoreMode,
  scoreFault,
} from './rules.ts';

/** Converts a stored score to the displayed score: points, or percent in rated homework. */
export const markOf = (mode: ScoreMode, stored: number): number =>
  mode === rateMode ? stored : pointsOf(mode, stored);

/** Returns the full score of a question in stored units. In rated homework `ques_score` does not count. */
export const fullScore = (mode: ScoreMode, quesScore: number): number =>
  mode === rateMode ? ratedFullScore : quesScore;

/** Full score of a material question: the sum of its parts. */
export const materialScore = (parts: readonly { score: number }[]): number =>
  parts.reduce((sum, part) => sum + part.score, 0);

/** Splits a score into `count` whole shares that differ by at most 1 and add up exactly. */
export function evenShares(score: number, count: number): number[] {
  const upTo = (blanks: number) => Math.floor((score * blanks) / count);
  return Array.from({ length: count }, (_, index) => upTo(index + 1) - upTo(index));
}

/** Returns a whole percentage, cut off instead of rounded: 29 of 100 is 29, 0 of 0 is 0. */
export const wholePercent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * 100) / whole);

/**
 * Returns the rank of each score, in the order of `scores`. Equal scores share a rank, and the next rank is skipped: 1,
 * 1, 3.
 */
export function competitionRanks(scores: readonly number[]): number[] {
  const rankOf = new Map<number, number>();
  [...scores]
    .sort((a, b) => b - a)
    .forEach((score, index) => {
      if (!rankOf.has(score)) rankOf.set(score, index + 1);
    });
  return scores.map((score) => rankOf.get(score) as number);
}

// ---- Answers -----------------------------------------------------------------------------------

/**
 * A question that is answered: a question without parts, or a part of a material question. `score`: full score in
 * stored units.
 */
export interface AnswerableQuestion {
  id: number;
  ques_type: number;
  right_answer: string;
  /** 1: the blanks of a fill-in question ignore case. */
  ignore_case: number;
  score: number;
  /** Score of each blank in stored units, if the blanks of a fill-in question differ in worth. */
  blankScores?: readonly number[] | undefined;
  /** Returns a grader's judgment of an answer to a blank (counted from 1); undefined if nobody judged it. */
  judge?: ((blank: number, folded: string) => boolean | undefined) | undefined;
}

/** Result of an answer. `score` is null while the answer waits for grading. */
export interface ScoredAnswer {
  status: AnswerStatus;
  score: number | null;
}

/**
 * Scores a submitted answer. An objective answer is scored at once; a subjective answer waits for grading, unless it is
 * blank.
 */
export function scoreAnswer(question: AnswerableQuestion, userAnswer: string): ScoredAnswer {
  if (isSubjective(question.ques_type)) {
    return isBlankText(userAnswer)
      ? { status: answerStatus.unanswered, score: 0 }
      : { status: answerStatus.waiting, score: null };
  }
  return question.ques_type === fillIn ? scoreBlanks(question, userAnswer) : scoreChoice(question, userAnswer);
}

/** Scores question types 1 to 4: the full score for exactly the right set of option ids, otherwise 0. */
function scoreChoice(question: AnswerableQuestion, userAnswer: string): ScoredAnswer {
  const chosen = optionIds(userAnswer);
  if (chosen.size === 0) return { status: answerStatus.unanswered, score: 0 };
  const right = optionIds(question.right_answer);
  const same = chosen.size === right.size && [...chosen].every((id) => right.has(id));
  return same ? { status: answerStatus.right, score: question.score } : { status: answerStatus.wrong, score: 0 };
}

/** Scores a fill-in question (type 7): each right blank earns its share. */
function scoreBlanks(question: AnswerableQuestion, userAnswer: string): ScoredAnswer {
  const fold = (blank: string) => foldAnswer(blank, question.ignore_case === 1);
  const given = userAnswer.split('@@').map(fold);
  if (given.every((blank) => blank === '')) return { status: answerStatus.unanswered, score: 0 };
  const right = question.right_answer.split('@@').map(fold);
  const isRight = right.map(
    (blank, index) => question.judge?.(index + 1, given[index] ?? '') ?? blank === given[index],
  );
  if (isRight.every(Boolean)) return { status: answerStatus.right, score: question.score };
  const isCut = question.blankScores?.length === right.length;
  const shares = isCut ? (question.blankScores ?? []) : evenShares(question.score, right.length);
  const earned = shares.filter((_, index) => isRight[index]).reduce((sum, share) => sum + share, 0);
  return { status: answerStatus.wrong, score: earned };
}

/** Parses the ids of the chosen options; for a matching question, the pairs of ids. */
export const optionIds = (answer: string): Set<string> =>
  new Set(
    answer
      .normalize('NFKC')
      .split(/[\s,]+/)
      .filter(Boolean),
  );

/** A subjective answer. The client declares the format of the content, by default text. */
export interface SubjectiveAnswer {
  content: string;
  images: unknown[];
  format: AnswerFormat;
}

function isBlankText(userAnswer: string): boolean {
  const answer = subjectiveAnswer(userAnswer);
  return answer.images.length === 0 && isBlankAnswer(answer);
}

/** True if a stored answer is empty, for questions of any type. */
export const isUnanswered = (userAnswer: string): boolean =>
  userAnswer.replaceAll('@@', '').trim() === '' || isBlankText(userAnswer);

/** True if a reader would see nothing in the content. */
export const isBlankAnswer = ({ content, format }: Pick<SubjectiveAnswer, 'content' | 'format'>): boolean =>
  format === 'html' ? isBlankHtml(content) : content.trim() === '';

const answerKeys = new Set(['content', 'images', 'format']);

/**
 * Parses a stored subjective answer: JSON with exactly {content, images, format}, or plain content. Never fails: any
 * other text that happens to be JSON is the content, such as an interval `[1,3]` or code `{"content":1}`.
 */
export function subjectiveAnswer(userAnswer: string): SubjectiveAnswer {
  const text: SubjectiveAnswer = { content: userAnswer, images: [], format: 'text' };
  if (!userAnswer.startsWith('{')) return text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(userAnswer);
  } catch {
    return text;
  }
  const { content = '', images = [], format = 'text' } = parsed as Partial<Record<string, unknown>>;
  const keys = Object.keys(parsed as object);
  const isAnswer =
    keys.length > 0 &&
    keys.every((key) => answerKeys.has(key)) &&
    typeof content === 'string' &&
    Array.isArray(images) &&
    answerFormats.includes(format as AnswerFormat);
  return isAnswer ? { content, images, format: format as AnswerFormat } : text;
}

/**
 * Refuses a score (in stored units) that a grader may not give. 422 at `user_score`: the score is invalid. 409: the
 * question was not answered; by points, 0 is allowed.
 */
export function refuseMark(
  { mode, full, status }: { mode: ScoreMode; full: number; status: number },
  score: number,
): Refusal | undefined {
  const blank = status === answerStatus.unanswered ? blankMarkFault(mode, score) : undefined;
  const unfit = refuseField('user_score', scoreFault(mode, full, score));
  return mode === rateMode ? (refuseFor('conflict', blank) ?? unfit) : (unfit ?? refuseFor('conflict', blank));
}

/** Computes the sums of a report from its answers, and whether an answer still waits for grading. */
export function reportTotals(answers: readonly (ScoredAnswer & { subjective: boolean })[]): {
  status: 2 | 3;
  objective_score: number;
  subjective_score: number;
  user_score: number;
} {
  let objective = 0;
  let subjective = 0;
  let waiting = false;
  for (const answer of answers) {
    if (answer.subjective) subjective += answer.score ?? 0;
    else objective += answer.score ?? 0;
    waiting ||= answer.status === answerStatus.waiting;
  }
  return {
    status: waiting ? reportStatus.waiting : reportStatus.graded,
    objective_score: objective,
    subjective_score: subjective,
    user_score: objective + subjective,
  };
}
