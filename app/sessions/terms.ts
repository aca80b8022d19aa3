import type { SessionRow } from '#server/sessions/contract.ts';
import { type HandoutStatus, sessionStatuses, sessionStatusNames, sessionTypes } from '#server/sessions/rules.ts';
import { formatDay } from '../lib/dates.ts';

export const sessionTypeNames = { 1: '一对一', 3: '团课' } as const;
export const sessionTypeChoices = sessionTypes.map((type) => [type, sessionTypeNames[type]] as const);
export const sessionStatusChoices = sessionStatuses.map((status) => [status, sessionStatusNames[status]] as const);
export const teachingModeNames = { 1: '直播', 2: '线下' } as const;
export const handoutStatusNames: Record<HandoutStatus, string> = { 1: '已通过', 2: '未上传', 3: '待审核', 4: '已驳回' };

export type SessionTimes = Pick<SessionRow, 'arrange_time' | 'time_name'>;

/** Formats a lesson's time: `2026-11-21 周六 19:00-20:30`. */
export function sessionTime(session: SessionTimes, timezone: string): string {
  return `${formatDay(session.arrange_time, timezone)} ${session.time_name}`;
}

/** Topic of a lesson, empty if unknown. */
export const sessionTopic = ({ period_title, chapter_title }: SessionRow) => period_title || chapter_title;

export const handoutReviewTones = { 1: 'good', 3: 'warn', 4: 'bad' } as const;
/** Choices of the filter by state. Without a choice the list shows undecided handouts. */
export const handoutReviewChoices = [
  ['approved', '已通过'],
  ['rejected', '已驳回'],
  ['all', '全部'],
] as const;
