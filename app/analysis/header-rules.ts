/** What the header offers. The API decides; these only spare a refused try. */
import type { HomeworkHeader } from '#server/analysis/contract.ts';
import type { HomeworkFacts } from '#server/homework/contract.ts';

export const hasEnded = ({ ending_time }: { ending_time: number }, now: number): boolean => now >= ending_time;

/** Question analysis, transcript and distribution: after the deadline, when nothing waits for review. */
export const hasFigures = (header: HomeworkHeader, now: number): boolean =>
  header.status === 1 && hasEnded(header, now) && header.submit - header.revise === 0;

interface Asker {
  dispatch: boolean;
  /** 0 for all classes. */
  classId: number;
  arranged: boolean;
}

/** Adjusting the deadline, and with it continuing to publish, is offered over all classes only. */
export const offersDispatch = ({ dispatch, classId, arranged }: Asker): boolean =>
  dispatch && classId === 0 && !arranged;

export const offersContinue = (facts: HomeworkFacts, asker: Asker): boolean =>
  offersDispatch(asker) && facts.publish_type === 2;

/** Why it cannot be done, or undefined when it can. */
export function continueFault(facts: HomeworkFacts, now: number): string | undefined {
  if (facts.is_owner !== 1) return '只有发布人可以继续发布';
  if (facts.status === 2) return '作业已撤回';
  if (facts.published_class_count >= facts.class_count) return '已发布到全部班级';
  return hasEnded(facts, now) ? '作业已截止，不能继续发布' : undefined;
}

export function deadlineFault(facts: HomeworkFacts, now: number): string | undefined {
  if (facts.is_owner !== 1) return '只有发布人可以调整截止时间';
  if (facts.status === 2) return '作业已撤回';
  return hasEnded(facts, now) ? '作业已截止，不能调整截止时间' : undefined;
}
