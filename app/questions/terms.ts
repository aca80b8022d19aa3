import type { PointWithDepth } from '#server/questions/bank.contract.ts';
import { type ErrorReportOutcome, errorReportOutcomeNames } from '#server/questions/error-reports.rules.ts';
import { errorTypes, isQuestionType, questionTypeNames } from '#server/questions/rules.ts';

export { questionTypeNames };

/** Name of a question type. The code may be unknown, for instance if it comes from an imported file. */
export const questionTypeName = (code: number): string => (isQuestionType(code) ? questionTypeNames[code] : '未识别');

export const questionTypeChoices = Object.entries(questionTypeNames).map(
  ([code, name]) => [Number(code), name] as const,
);

const difficultyNames = ['容易', '较易', '中等', '较难', '困难'] as const;

/** Name of a difficulty (`facility_value`, 1 to 5). Empty for other values. */
export const difficultyName = (facilityValue: number): string => difficultyNames[facilityValue - 1] ?? '';

/** Number of stars in the list of the question bank, which counts inversely: 5 − facility_value. */
export const bankStars = (facilityValue: number) => 5 - facilityValue;

const choiceOf = (value: number, stars: number) =>
  [value, `${value} ${difficultyName(value)} ${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}`] as const;

export const difficultyChoices = [1, 2, 3, 4, 5].map((value) => choiceOf(value, bankStars(value)));

/** Choices of difficulty in forms. Only the bank list inverts the stars; here their number is facility_value. */
export const formDifficultyChoices = [1, 2, 3, 4, 5].map((value) => choiceOf(value, value));

export const errorTypeNames: Record<(typeof errorTypes)[number], string> = {
  1: '题干有误',
  2: '选项有误',
  3: '答案有误',
  4: '解析有误',
  5: '知识点有误',
  6: '其他',
};

/** Messages about moving or removing a question in a list. */
export const orderMessages = { first: '已经是第一题', last: '已经是最后一题', remove: '是否移除该题目？' } as const;

export const errorTypeChoices = errorTypes.map((type) => [type, errorTypeNames[type]] as const);

/** Name of the decision about a reported mistake; null means undecided. */
export const outcomeName = (outcome: ErrorReportOutcome | null): string =>
  outcome === null ? '待处理' : errorReportOutcomeNames[outcome];
const outcomeTones = { 1: 'good', 2: 'good', 3: 'plain' } as const;
export const outcomeTone = (outcome: ErrorReportOutcome | null) => (outcome === null ? 'warn' : outcomeTones[outcome]);

/** Choices of the filter by state. Without a choice the list shows undecided reports. */
export const errorReportStateChoices = [
  ['corrected', '已更正'],
  ['answered', '已回复'],
  ['dismissed', '已驳回'],
  ['all', '全部'],
] as const;

/** Options of a select for a tree of knowledge points, indented by depth. */
export const pointChoices = (points: readonly PointWithDepth[]) =>
  points.map(({ id, name, depth }): [number, string] => [id, `${'　'.repeat(depth)}${name}`]);
