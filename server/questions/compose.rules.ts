/** Rules for choosing questions by type, number and difficulty. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';

export const ruleRowsLimit = 20;

/** Bounds of the number of questions of a row, and of the days of “not used within”. */
const ruleCountLimit = { min: 1, max: 100 } as const;

export const unusedDaysLimit = { min: 0, max: 365 } as const;

/** Maximum number of questions that one rule chooses. */
const ruleQuestionsLimit = 500;

export const composeMessages = {
  noRows: '请添加一行规则',
  tooManyRows: `规则最多${ruleRowsLimit}行`,
  count: `题数为${ruleCountLimit.min}到${ruleCountLimit.max}的整数`,
  range: '难度范围应从低到高',
  unusedDays: `天数为${unusedDaysLimit.min}到${unusedDaysLimit.max}的整数，0为不限`,
  noOther: '没有其他符合条件的题目',
  tooMany: `一次最多选择${ruleQuestionsLimit}道题目`,
} as const;

/** Parses a typed whole number; undefined if it is not one within the bounds. */
export function parseWithin(typed: string, { min, max }: { min: number; max: number }): number | undefined {
  const number = /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
  return number !== undefined && number >= min && number <= max ? number : undefined;
}

/** Why this number of rows is refused. */
export function ruleRowsFault(rows: number): string | undefined {
  if (rows === 0) return composeMessages.noRows;
  return rows > ruleRowsLimit ? composeMessages.tooManyRows : undefined;
}

interface RuleRow {
  count: string;
  from?: number | undefined;
  to?: number | undefined;
}

/** Returns the errors of a row by field. */
export function ruleRowFaults({ count, from, to }: RuleRow): FieldErrors {
  const errors: FieldErrors = {};
  if (parseWithin(count, ruleCountLimit) === undefined) errors.count = [composeMessages.count];
  if (from !== undefined && to !== undefined && from > to) errors.to = [composeMessages.range];
  return errors;
}

/** Message when the typed number of a question is not one of them. */
export const placeMessage = (questions: number): string => `题号为1到${questions}的整数`;

/** Why the rows are refused together: they choose too many questions. */
export const ruleTotalFault = (rows: readonly Pick<RuleRow, 'count'>[]): string | undefined =>
  rows.reduce((sum, { count }) => sum + Number(count), 0) > ruleQuestionsLimit ? composeMessages.tooMany : undefined;
