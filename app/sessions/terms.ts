/** The specification's codes in the words of the screens (document 3, sections 3 and 4). */
import {
  type AttendanceStatus,
  type HandoutStatus,
  type SessionRow,
  sessionStatuses,
  sessionStatusNames,
  sessionTypes,
} from '#server/sessions/contract.ts';
import { formatTime } from '../lib/dates.ts';

export const sessionTypeNames = { 1: '一对一', 3: '团课' } as const;
export const sessionTypeChoices = sessionTypes.map((type) => [type, sessionTypeNames[type]] as const);
export const sessionStatusChoices = sessionStatuses.map((status) => [status, sessionStatusNames[status]] as const);
export const teachingModeNames = { 1: '直播', 2: '线下' } as const;
export const handoutStatusNames: Record<HandoutStatus, string> = { 1: '已通过', 2: '未上传', 3: '待审核', 4: '已驳回' };
export const attendanceNames = { 1: '出勤', 2: '请假', 3: '旷课' } as const;
export const attendanceName = (status: AttendanceStatus) => (status === null ? '未标记' : attendanceNames[status]);

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** `2026-11-21 周六 19:00-20:30`. */
export function sessionTime(session: { arrange_time: number; time_name: string }, timezone: string): string {
  const day = formatTime(session.arrange_time, timezone).slice(0, 10);
  return `${day} ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]} ${session.time_name}`;
}

/** What a session is about, as far as it is known. */
export const sessionTopic = ({ period_title, chapter_title }: SessionRow) => period_title || chapter_title;
