/**
 * What may be done with a homework, and when.
 * Each predicate answers with the sentence that says which rule is broken, or undefined when it may be done.
 * The API refuses by them.
 */
import { conflict, forbidden, invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import { yesterdayStart } from '#server/school/calendar.ts';

/** What the rules look at. Times in unix seconds. */
export interface HomeworkState {
  status: number;
  publish_type: number;
  published_class_count: number;
  class_count: number;
  ending_time: number;
  creator_id: number;
}

const recalledStatus = 2;
const partlyPublishedType = 2;
/** The last second of the year 9999: what the calendar and every spreadsheet still write. */
const endOfTime = 253_402_300_799;

const notOwner = () => forbidden('只有发布人可以执行此操作');
const isOwner = (homework: HomeworkState, staffId: number) => homework.creator_id === staffId;
const isRecalled = (homework: HomeworkState) => homework.status === recalledStatus;
const hasEnded = (homework: HomeworkState, now: number) => now >= homework.ending_time;

export function refuseRecall(homework: HomeworkState, staffId: number): Refusal | undefined {
  if (!isOwner(homework, staffId)) return notOwner();
  if (isRecalled(homework)) return conflict('该作业已撤回，不能重复撤回');
  return undefined;
}

export function refuseContinuePublishing(homework: HomeworkState, staffId: number, now: number): Refusal | undefined {
  if (!isOwner(homework, staffId)) return notOwner();
  if (isRecalled(homework)) return conflict('该作业已撤回，不能继续发布');
  if (homework.publish_type !== partlyPublishedType) return conflict('该作业已发布到全部班级，不能继续发布');
  if (homework.published_class_count >= homework.class_count) return conflict('该作业已发布到全部班级，不能继续发布');
  if (hasEnded(homework, now)) return conflict('该作业已截止，不能继续发布');
  return undefined;
}

export function refuseAdjustDeadline(homework: HomeworkState, staffId: number, now: number): Refusal | undefined {
  if (!isOwner(homework, staffId)) return notOwner();
  if (isRecalled(homework)) return conflict('该作业已撤回，不能调整截止时间');
  if (hasEnded(homework, now)) return conflict('该作业已截止，不能调整截止时间');
  return undefined;
}

/** The new day is yesterday or later in the school's zone. */
export function refuseDeadline(endingTime: number | undefined, now: number, timezone: string): Refusal | undefined {
  if (!endingTime) return invalid({ ending_time: ['请选择截止时间'] });
  if (endingTime < yesterdayStart(now, timezone)) return invalid({ ending_time: ['截止时间不能早于昨天'] });
  if (endingTime > endOfTime) return invalid({ ending_time: ['请选择正确的截止时间'] });
  return undefined;
}

export function refuseCorrection(homework: Pick<HomeworkState, 'status'>): Refusal | undefined {
  return homework.status === recalledStatus ? conflict('该作业已撤回，不能批改') : undefined;
}
