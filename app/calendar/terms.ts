/** Words of the calendar's cards. */
import { type CalendarCourse, groupRoomTypes, liveCourseTypes, offline } from '#server/calendar/contract.ts';
import { courseTypeName, offlineCourse } from '../classes/terms.ts';

type Kind = Pick<CalendarCourse, 'kind' | 'periods_type' | 'course_type' | 'class_type'>;

/** What kind of lesson it is. */
export function typeName({ kind, periods_type, course_type, class_type }: Kind): string {
  if (kind === 'meeting') return '班会';
  if (kind === 'course') return `${class_type === 1 ? '一对一' : '团课'}${periods_type === offline ? ' · 线下' : ''}`;
  if (periods_type === offline) return courseTypeName(offlineCourse);
  if (!liveCourseTypes.includes(course_type)) return courseTypeName(course_type);
  return groupRoomTypes.includes(periods_type) ? '小组直播课' : '直播课';
}

export function statusName(course: Kind & Pick<CalendarCourse, 'live_status' | 'is_cancelled'>): string {
  if (course.is_cancelled === 1) return '已取消';
  if (course.live_status === 1) return '未开始';
  if (course.live_status === 3) return '已结束';
  return hasRoom(course) ? '直播中' : '进行中';
}

/** Has a live room, that is entered, joined by a code, and played back. */
export const hasRoom = ({ kind, periods_type, course_type }: Kind): boolean =>
  periods_type !== offline && (kind !== 'period' || liveCourseTypes.includes(course_type));

export const titleOf = ({ kind, meeting_name, period_title, course_title }: CalendarCourse): string =>
  (kind === 'meeting' ? meeting_name : period_title) || course_title;
