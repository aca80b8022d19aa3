/**
 * Exams: states of papers and sheets, and the reading of question types.
 *
 * Options of exam questions, and the matching question (type 4 whose options stand in two columns): its answer is
 * comma-separated pairs of option ids, left-right: `1-4,2-6,3-5`. As a set of such pairs it is scored by the rule of
 * the other choices (homework/scoring.ts).
 */
import {
  type AnswerStatus,
  answerStatus,
  byScore,
  isMaterial,
  isSubjective,
  pointsOf,
} from '#server/homework/rules.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { type QuestionType, questionTypeNames, questionTypes } from '#server/questions/rules.ts';

export interface ExamOption {
  id: number;
  /** HTML. */
  content: string;
  /** 1 right, 2 wrong; in a matching question always 2, for pairs are right or wrong there. */
  is_right: 1 | 2;
  /** Only in a matching question. */
  side?: 'left' | 'right';
}

export const isMatching = (options: readonly ExamOption[]): boolean =>
  options.some((option) => option.side === 'left') && options.some((option) => option.side === 'right');

/** The pairs of a matching answer, by ids; what is no pair is left out. */
export function matchingPairs(answer: string): { left: number; right: number }[] {
  return answer.split(',').flatMap((pair) => {
    const [, left, right] = /^\s*(\d+)-(\d+)\s*$/.exec(pair) ?? [];
    return left && right ? [{ left: Number(left), right: Number(right) }] : [];
  });
}

/** A, B, …; in a matching question the left column counts 1, 2, … and the right one A, B, …. */
export function optionLabel(options: readonly ExamOption[], id: number): string {
  const option = options.find((one) => one.id === id);
  const column = options.filter((one) => one.side === option?.side);
  const place = option ? column.indexOf(option) : -1;
  if (place < 0) return String(id);
  return option?.side === 'left' ? String(place + 1) : optionLetter(place);
}

/** A chosen option or pair as people read it: `B`, or `1–C`. */
export function choiceLabel(options: readonly ExamOption[], choice: string): string {
  const [pair] = matchingPairs(choice);
  if (pair) return `${optionLabel(options, pair.left)}–${optionLabel(options, pair.right)}`;
  return /^\d+$/.test(choice) ? optionLabel(options, Number(choice)) : choice;
}

/**
 * The two numberings of question types, and the one codec between them.
 *
 * The bank, the tables and the paper preview have the canonical code. The answer sheet, correction and statistics of
 * exams read the same numbers otherwise: 1 single, 2 multiple, 3 judgment, 4 indefinite or matching, 5 short answer,
 * 6 material, 7 fill-in. Calls that carry this reading translate at their edge, and screens name it by
 * `examTypeName`.
 */

/** The same numbers, in the exam reading. */
export type ExamType = QuestionType;

const examTypes: Readonly<Record<QuestionType, ExamType>> = { 1: 1, 2: 3, 3: 2, 4: 4, 5: 5, 6: 6, 7: 7 };

const canonicalOf = new Map(questionTypes.map((code) => [examTypes[code], code]));

/** A stored type as the answer sheet, correction and statistics of exams carry it. */
export function toExamType(canonical: number): ExamType {
  const examType = examTypes[canonical as QuestionType];
  if (!examType) throw new Error(`no question type ${canonical}`);
  return examType;
}

/** The canonical code of a type that came in the exam reading. */
export function fromExamType(examType: number): QuestionType {
  const canonical = canonicalOf.get(examType as ExamType);
  if (!canonical) throw new Error(`no question type ${examType} in the exam reading`);
  return canonical;
}

/** The name of a type in the exam reading; type 4 is also the matching question. */
export function examTypeName(examType: number, isMatching = false): string {
  return isMatching ? '连线题' : questionTypeNames[fromExamType(examType)];
}

/** 1 published, 2 not. */
export const publishStatuses = [1, 2] as const;
const published = 1;

/** Of a report. */
export const testStatus = { waiting: 2, reviewed: 3 } as const;
export const testStatuses = Object.values(testStatus);

/** 1 passed, 2 failed; in rows also 0, not decided while it waits. */
export const passStatuses = [1, 2] as const;

/** The paper, the same with answers and analyses, or the sheet on which it is answered by hand. */
export const paperVariants = ['paper', 'with-answers', 'answer-sheet'] as const;

export type PaperVariant = (typeof paperVariants)[number];

/** A time limit in whole minutes. */
export const shownLimit = (seconds: number): string => (seconds === 0 ? '不限时' : `${Math.floor(seconds / 60)} 分钟`);

// ---- what 只看错题 keeps --------------------------------------------------------------------------

/** Wrong questions, subjective ones and material ones. `ques_type` in the exam reading. */
export function isShownAsWrong({ status, ques_type }: { status: AnswerStatus; ques_type: number }): boolean {
  const type = fromExamType(ques_type);
  return isSubjective(type) || isMaterial(type) || status === answerStatus.wrong;
}

/** Points, as they travel and are shown, of a score of an exam: it is stored as that of a homework with scores. */
export const examPoints = (stored: number): number => pointsOf(byScore, stored);

/** Why a submission is not taken. */
export const examSubmitFault = ({ status }: { status: number }): string | undefined =>
  status === published ? undefined : '该考试未发布，不能提交';

export const examMessages = { wrongAnswers: '答案与考试题目不符', variant: '请选择试卷的样式' } as const;

export const missingExam = '考试不存在';
export const missingSheet = '答卷不存在';
