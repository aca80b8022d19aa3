import type { CalendarCourse } from '#server/calendar/contract.ts';
import { courseTypeName, groupCourses, liveCourses, offlineCourse } from '#server/classes/rules.ts';

/** Short names of the views. The interface appends 视图. */
export const viewNames = { month: '月', week: '周', day: '日' } as const;

type Kind = Pick<CalendarCourse, 'kind' | 'periods_type' | 'course_type' | 'class_type'>;

export function typeName({ kind, periods_type, course_type, class_type }: Kind): string {
  if (kind === 'meeting') return '班会';
  if (kind === 'course')
    return `${class_type === 1 ? '一对一' : '团课'}${periods_type === offlineCourse ? ' · 线下' : ''}`;
  if (periods_type === offlineCourse) return courseTypeName(offlineCourse);
  if (!liveCourses.includes(course_type)) return courseTypeName(course_type);
  return groupCourses.includes(periods_type) ? '小组直播课' : '直播课';
}

export function statusName(course: Kind & Pick<CalendarCourse, 'live_status' | 'is_cancelled'>): string {
  if (course.is_cancelled === 1) return '已取消';
  if (course.live_status === 1) return '未开始';
  if (course.live_status === 3) return '已结束';
  return hasLiveRoom(course) ? '直播中' : '进行中';
}

/** True if the entry has a live room, with join codes and playback. */
export const hasLiveRoom = ({ kind, periods_type, course_type }: Kind): boolean =>
  periods_type !== offlineCourse && (kind !== 'period' || liveCourses.includes(course_type));

export const entryTitle = ({ kind, meeting_name, period_title, course_title }: CalendarCourse): string =>
  (kind === 'meeting' ? meeting_name : period_title) || course_title;
