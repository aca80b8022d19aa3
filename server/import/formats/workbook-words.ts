/** Words that the cells of our own workbook use. */
import { termTypeNames, termTypes } from '#server/catalogue/rules.ts';
import { allClassTypes, classTypeNames, courseTypeName } from '#server/classes/rules.ts';
import { courseKinds, weekdayNames } from '#server/courses/rules.ts';
import { lessonClassTypes, signTypeNames, signTypes } from '#server/group-classes/rules.ts';
import { permissions } from '#server/platform/auth/rules.ts';
import { permissionNames } from '#server/school/call.ts';
import type { Parity } from '../rules.ts';
import type { Value } from '../source-record.ts';

/** Name of the sheet with explanations in the template. */
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

const subjects =
  /^(?:小学|初中|高中)?(?:语文|数学|英语|外语|物理|化学|生物|历史|地理|政治|思政|道德与法治|道法|科学|音乐|美术|体育|信息(?:技术|科技)?|通用技术|心理|劳动|书法)$/;

/** Maps a job title (语文教师, 班主任, 教学助理) to an identity; undefined for others, such as 校长. */
export function identityOfTitle(title: string): string | undefined {
  if (/教务/.test(title)) return '教务';
  if (/助教|助理|辅导/.test(title)) return '助教';
  const isTeacher = /教师|老师|讲师|教员|教研|教授|任课|主讲|主任|组长|导师|外教/.test(title) || subjects.test(title);
  return isTeacher ? '讲师' : undefined;
}

/** Returns the identity that a cell names: by one of our words, or by a job title. */
export const identityOf = (text: string): string | undefined =>
  Object.keys(identityWords).find((word) => word === text.trim()) ?? identityOfTitle(text);

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

/** Means that an administrator manages all schools. */
export const everySchoolWord = '全部学校';

/** Means that a class has no end. */
export const longTermWord = '长期';

/** Removes the stored value. An empty cell leaves it unchanged. */
export const clearWord = '清空';

/** Heading of the column that has the reasons of refused rows. */
export const reasonHead = '原因';

/** The ids of example rows in the template begin with this word. */
export const exampleId = '示例';

/** Returns the word for a stored value; undefined if there is none. */
export const wordOf = (words: Readonly<Record<string, string>>, value: Value | undefined): string | undefined =>
  Object.keys(words).find((one) => words[one] === value);
