import { weekOf } from '../lib/dates.ts';

export const homeworkTypeNames: Record<1 | 2, string> = { 1: '课程作业', 2: '课时作业' };

export const homeworkTypeChoices = [
  [1, homeworkTypeNames[1]],
  [2, homeworkTypeNames[2]],
] as const;

/** Who published, whichever identity they have. */
export const publisherName = (row: { teacher_name: string; assistant_name: string }) =>
  row.teacher_name || row.assistant_name;

interface Reached {
  homework_count: number;
  submitted_homework_count: number;
}

/** Sentence for dialogs: how many students a homework reaches, and how many have handed in. */
export const reachOf = ({ homework_count, submitted_homework_count }: Reached): string =>
  `已布置给${homework_count}名学员，其中${submitted_homework_count}名已提交`;

/** A preset of lists with a time of publication. */
export function publishedThisWeek(now: number, timezone: string) {
  const { from, to } = weekOf(now, timezone);
  return { label: '本周发布', filter: { publish_start: from, publish_end: to } };
}
