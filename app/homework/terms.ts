import { weekOf } from '../lib/dates.ts';

export const homeworkTypeNames: Record<1 | 2, string> = { 1: '课程作业', 2: '课时作业' };

export const homeworkTypeChoices = [
  [1, homeworkTypeNames[1]],
  [2, homeworkTypeNames[2]],
] as const;

export const publisherName = (row: { teacher_name: string; assistant_name: string }) =>
  row.teacher_name || row.assistant_name;

interface RecipientCounts {
  homework_count: number;
  submitted_homework_count: number;
}

/** Says for dialogs how many students got the homework, and how many have submitted. */
export const formatRecipients = ({ homework_count, submitted_homework_count }: RecipientCounts): string =>
  `已布置给${homework_count}名学员，其中${submitted_homework_count}名已提交`;

/** Predefined filter of lists that have a publication time. */
export function thisWeekPreset(now: number, timezone: string) {
  const { from, to } = weekOf(now, timezone);
  return { label: '本周发布', filter: { publish_start: from, publish_end: to } };
}
