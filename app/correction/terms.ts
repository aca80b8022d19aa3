/** The words of correction (document 1, section 3; decisions, section 8). */
import type { AnswerStatus } from '#server/correction/contract.ts';

/** Of an answer, on the card and beside the answer. */
export const answerStatusNames: Record<AnswerStatus, string> = {
  1: '正确',
  2: '错误',
  3: '未作答',
  4: '待批改',
  5: '已批改',
};

export const reportStatusNames: Record<1 | 2 | 3, string> = { 1: '未提交', 2: '待批改', 3: '已批改' };

/** A, B, C … of the option with this place. */
export const optionLetter = (place: number): string => String.fromCharCode(65 + place);

/** Scores are shown with one decimal (document 1, section 1). */
export const shownScore = (points: number): string => points.toFixed(1);

/** 8.5 分, or 75% where rated. */
export const shownMark = (rated: boolean, mark: number | null): string =>
  mark === null ? '未评分' : rated ? `${mark}%` : `${shownScore(mark)} 分`;

/** Seconds as whole minutes (document 1, section 1). */
export const shownMinutes = (seconds: number): string => `${Math.floor(seconds / 60)} 分钟`;

export interface StatusCount {
  status: AnswerStatus;
  name: string;
  count: number;
}

/** How many answers of each kind, as the answer card counts them. */
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

/** The scheduled lesson of a homework: its class, and of its classification and grade what the school shows. */
export function lessonWords(
  lesson: { name: string; classify_name: string; grade_name: string; sub_name: string },
  shown: { classify: boolean; grade: boolean },
): string {
  const { name, classify_name, grade_name, sub_name } = lesson;
  return [name, shown.classify && classify_name, shown.grade && grade_name, sub_name].filter(Boolean).join(' · ');
}
