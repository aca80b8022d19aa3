import type { AnswerStatus } from '#server/grading/rules.ts';
import type { CourseArrange } from '#server/grading-desk/answer.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { formatDay } from '../lib/dates.ts';

/** Statuses of an answer, on the card and beside the answer. */
export const answerStatusNames: Record<AnswerStatus, string> = {
  1: '正确',
  2: '错误',
  3: '未作答',
  4: '待批改',
  5: '已批改',
};

/** Formats a score: 8.5 分, or 75% in rated homework. */
export const formatMark = (rated: boolean, mark: number | null): string =>
  mark === null ? '未评分' : rated ? `${mark}%` : `${formatScore(mark)} 分`;

/** Messages when nothing is left to grade. */
export const deskMessages = {
  lastStudent: '已是最后一名学员',
  questionDone: '本题已全部批改',
  paperDone: (paper: string) => `本份${paper}已全部批改`,
} as const;

export interface StatusCount {
  status: AnswerStatus;
  name: string;
  count: number;
}

export function countByStatus(
  items: readonly { status: AnswerStatus }[],
  shown: readonly AnswerStatus[],
): StatusCount[] {
  return shown.map((status) => ({
    status,
    name: answerStatusNames[status],
    count: items.filter((item) => item.status === status).length,
  }));
}

/**
 * Describes the scheduled lesson of a homework: class, category and grade as far as the school's settings show them,
 * and the time.
 */
export function lessonWords(
  { name, classify_name, grade_name, sub_name, arrange_time, time_name }: CourseArrange,
  shown: { classify: boolean; grade: boolean },
  timezone: string,
): string {
  const when = `${formatDay(arrange_time, timezone)} ${time_name}`;
  return [name, shown.classify && classify_name, shown.grade && grade_name, sub_name, when].filter(Boolean).join(' · ');
}
