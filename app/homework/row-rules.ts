/** Which actions a row offers. The API decides; these only spare a refused try. */
import type { HomeworkRow } from '#server/homework/contract.ts';

type Facts = Pick<HomeworkRow, 'status' | 'publish_type' | 'published_class_count' | 'class_count' | 'ending_time'>;

/** Partly published, not yet everywhere, before the deadline, not recalled. Times in unix seconds. */
export function mayContinuePublishing(homework: Facts, now: number): boolean {
  const { status, publish_type, published_class_count, class_count, ending_time } = homework;
  return status === 1 && publish_type === 2 && published_class_count < class_count && now < ending_time;
}

/** Why the deadline cannot be moved, or undefined when it can. */
export function deadlineFault(homework: Facts, now: number): string | undefined {
  if (homework.status === 2) return '作业已撤回';
  return now >= homework.ending_time ? '作业已截止，不能调整截止时间' : undefined;
}
