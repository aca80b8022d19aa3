/** Words in the cells of our own workbook. */
import { termTypeNames, termTypes } from '#server/catalogue/rules.ts';
import { allClassTypes, classTypeNames, courseTypeName } from '#server/classes/rules.ts';
import { courseKinds, weekdayNames } from '#server/courses/rules.ts';
import { lessonClassTypes, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { permissions } from '#server/platform/auth/rules.ts';
import { permissionNames } from '#server/school/call.ts';
import type { Parity } from '../rules.ts';
import type { Value } from '../source-record.ts';

/** Name of the template's sheet of explanations. */
export const explanationSheet = '说明';

export const courseTypeWords = Object.fromEntries(courseKinds.map((kind) => [courseTypeName(kind), kind]));

export const lessonClassWords = Object.fromEntries(
  allClassTypes
    .filter((type) => lessonClassTypes.some((one) => one === type))
    .map((type) => [classTypeNames[type], type]),
);

export const signWords = Object.fromEntries(signTypes.map((type) => [signTypeNames[type], type]));

export const modeWords = { 直播: 1, 线下: 2 };

export const identityWords = { 讲师: 'teacher', 助教: 'assist', 教务: 'admin' } as const;

/** Maps a job title (语文教师, 教学助理) to an identity. */
export function identityOfTitle(title: string): string | undefined {
  if (/助教|助理|辅导/.test(title)) return '助教';
  return /教师|老师|讲师|教员|主讲|主任|组长/.test(title) ? '讲师' : undefined;
}

export const categoryWords = { 年级: 'grade', 分类: 'category', 科目: 'subject' } as const;

export const termKinds = Object.fromEntries(termTypes.map((type) => [termTypeNames[type], 'term']));

export const permissionWords = Object.fromEntries(
  permissions.map((permission) => [permissionNames[permission], permission]),
);

export const weekdayWords: Readonly<Record<string, number>> = Object.fromEntries(
  weekdayNames.map((name, at) => [name, at + 1]),
);

export const parityWords: Readonly<Record<string, Parity>> = { 每周: 'all', 单周: 'odd', 双周: 'even' };

export const termWords: Readonly<Record<string, (typeof termTypes)[number]>> = Object.fromEntries(
  termTypes.map((type) => [termTypeNames[type], type]),
);

/** For administrators of all schools. */
export const everySchoolWord = '全部学校';

/** For classes without an end. */
export const longTermWord = '长期';

/** Clears a stored value; an empty cell leaves it unchanged. */
export const clearWord = '清空';

/** Id prefix of the template's example rows. */
export const exampleId = '示例';

/** Returns the word of a stored value. */
export const wordOf = (words: Readonly<Record<string, string>>, value: Value | undefined): string | undefined =>
  Object.keys(words).find((one) => words[one] === value);
