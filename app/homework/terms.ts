import { weekOf } from '../lib/dates.ts';

export const homeworkTypeNames: Record<1 | 2, string> = { 1: '课程作业', 2: '课时作业' };

export const homeworkTypeChoices = [
  [1, homeworkTypeNames[1]],
  [2, homeworkTypeNames[2]],
] as const;

/** Who published, whichever identity they have. */
export const publisherName = (row: { teacher_name: string; assistant_name: string }) =>
  row.teacher_name || row.assistant_name;

/** A preset of lists with a time of publication. */
export function publishedThisWeek(now: number, timezone: string) {
  const { from, to } = weekOf(now, timezone);
  return { label: '本周发布', filter: { publish_start: from, publish_end: to } };
}
