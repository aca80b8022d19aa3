/** The codes of the API in the words of the screens. */

const live = [1, 2, 3, 4, 15, 16];
/** Live courses whose lessons have a room for each group. */
const inGroups = [2, 3, 15];
export const offlineCourse = 7;
export const textCourse = 10;

/** What a course_type is called. */
export function courseTypeName(type: number): string {
  if (type === offlineCourse) return '线下课';
  if (type === textCourse) return '图文课';
  if (inGroups.includes(type)) return '小组直播课';
  return live.includes(type) ? '直播课' : '视频课';
}

/** valid_status of a student of a class. */
export const memberStatusNames: Record<1 | 2, string> = { 1: '在班', 2: '已退班' };
export const memberStatusChoices = [
  [1, memberStatusNames[1]],
  [2, memberStatusNames[2]],
] as const;
