/** Words of the calendar's cards. */
import { type CalendarCourse, groupRoomTypes, liveCourseTypes, offline } from '#server/calendar/contract.ts';

type Kind = Pick<CalendarCourse, 'kind' | 'periods_type' | 'course_type' | 'class_type'>;

/** What kind of lesson it is. */
export function typeName({ kind, periods_type, course_type, class_type }: Kind): string {
  if (kind === 'meeting') return '班会';
  if (kind === 'course') return `${class_type === 1 ? '一对一' : '团课'}${periods_type === offline ? ' · 线下' : ''}`;
  if (periods_type === offline) return '线下课';
  if (!liveCourseTypes.includes(course_type)) return '录播课';
  return groupRoomTypes.includes(periods_type) ? '小组直播' : '直播课';
}

export function statusName(course: Kind & Pick<CalendarCourse, 'live_status' | 'is_cancelled'>): string {
  if (course.is_cancelled === 1) return '已取消';
  if (course.live_status === 1) return '未开始';
  if (course.live_status === 3) return '已结束';
  const isLive =
    course.periods_type !== offline && (course.kind !== 'period' || liveCourseTypes.includes(course.course_type));
  return isLive ? '直播中' : '进行中';
}

export const titleOf = ({ kind, meeting_name, period_title, course_title }: CalendarCourse): string =>
  (kind === 'meeting' ? meeting_name : period_title) || course_title;
