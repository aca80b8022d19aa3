/** Classes, their courses, and who is in them. */

/** class_type: a class of the school takes courses; the others are taught lesson by lesson, to one or to a group. */
export const classTypes = { stateSchool: 0, oneToOne: 1, group: 3 } as const;

/** valid_type: 1 long-term, 2 until valid_time. */
export const validTypes = [1, 2] as const;

/** Long-term, or its last moment is still to come. `now` in unix seconds. */
export const isRunning = (klass: { valid_type: number; valid_time: number }, now: number): boolean =>
  klass.valid_type !== 2 || klass.valid_time > now;

/** group_hidden of a class whose circle is not shown. */
export const circleHidden = 2;

/** The three rules of the circle. */
export const isCircleShown = (
  klass: { group_hidden: number },
  settings: { community_module: boolean; class_circle: boolean },
): boolean => klass.group_hidden !== circleHidden && settings.community_module && settings.class_circle;

export const classMessages = {
  noSchedule: '请选择课表图片',
  notAPicture: '课表只能是 jpg、png、gif 或 webp 格式的图片',
} as const;

/** valid_status: 1 in the class, 2 has left. */
export const memberStatuses = [1, 2] as const;

export const inClass = 1;

// ---- courses ------------------------------------------------------------------------------------------

/** course_type: taught in person, and text; what is neither of these nor live is video. */
export const offlineCourse = 7;
export const textCourse = 10;
export const liveCourses: readonly number[] = [1, 2, 3, 4, 15, 16];
/** Live courses whose lessons have a room for each group, or for the assistants. */
export const groupCourses: readonly number[] = [2, 3, 15];
/** Course types with attendance. */
export const attendanceCourseTypes: readonly number[] = [...groupCourses, offlineCourse];

export function courseTypeName(type: number): string {
  if (type === offlineCourse) return '线下课';
  if (type === textCourse) return '图文课';
  if (groupCourses.includes(type)) return '小组直播课';
  return liveCourses.includes(type) ? '直播课' : '视频课';
}

/** Teachers named on a course card. */
export const teachersShown = 5;

export const missingClass = '班级不存在';
export const missingLargeClass = '大班不存在';
export const missingCourse = '课程不存在';
export const missingPeriod = '课时不存在';
export const missingStudent = '学员不存在';
export const missingCircle = '该班级没有开放班级圈子';
