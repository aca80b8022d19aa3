import { courseTypeName, groupCourses, liveCourses, offlineCourse, textCourse } from '#server/classes/rules.ts';
import { latestDay } from '#server/platform/calls/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';

export const missingChapter = '章节不存在';

/** Maximum characters of titles. */
export const courseTitleLimit = 100;

/** Title of a class's own course. A long course title is cut, so that the class's name stays. */
export function ownCourseTitle(course: string, className: string): string {
  const suffix = `（${className}）`;
  const room = Math.max(0, courseTitleLimit - lengthOf(suffix));
  return [...[...course].slice(0, room), ...suffix].slice(0, courseTitleLimit).join('');
}
export const chapterTitleLimit = 100;
export const periodTitleLimit = 100;
export const introductionLimit = 1000;

/** Length of a period in minutes. */
export const periodMinutes = { min: 5, max: 720 } as const;
/** Maximum of the minutes before the start when students may enter the live room. */
export const maxEntryAdvance = 1440;

export const seriesLimit = 100;

/**
 * Kinds of course that a user can choose, each by one stored type. 2 has a room for each group; 5 (video) is the kind
 * of all remaining types.
 */
export const courseKinds = [1, 2, offlineCourse, 5, textCourse] as const;
export type CourseKind = (typeof courseKinds)[number];

/** Returns the kind of a stored course type; several types are of one kind. */
export function courseKindOf(type: number): CourseKind {
  return courseKinds.find((kind) => courseTypeName(kind) === courseTypeName(type)) ?? 5;
}

/** Stored types of a kind. `among` false: the kind has all types except the listed ones. */
export function courseTypesOf(kind: CourseKind): { types: readonly number[]; among: boolean } {
  if (kind === 5) return { types: [...liveCourses, offlineCourse, textCourse], among: false };
  if (kind === 1) return { types: liveCourses.filter((type) => !groupCourses.includes(type)), among: true };
  return { types: kind === 2 ? groupCourses : [kind], among: true };
}

export const courseStates = ['active', 'away'] as const;

export const courseMessages = {
  noTitle: '课程名称不能为空',
  titleLength: `课程名称不能超过${courseTitleLimit}个字`,
  introductionLength: `简介不能超过${introductionLimit}个字`,
  noCover: '请选择封面图片',
  notACover: '封面只能是 jpg、png、gif 或 webp 格式的图片',
  noSchool: '请选择学校',
  noType: '请选择课程类型',
  noClassify: '请选择分类',
  noGrade: '请选择年级',
  noSubject: '请选择科目',
  parent: '请选择同一学校的、自己没有上级的课程',
  parentOfOthers: '该课程有子课程，不能再归入其他课程',
  noChapterTitle: '章节名称不能为空',
  chapterTitleLength: `章节名称不能超过${chapterTitleLimit}个字`,
  noPeriodTitle: '课时名称不能为空',
  periodTitleLength: `课时名称不能超过${periodTitleLimit}个字`,
  noChapter: '请选择该课程的章节',
  noLecturer: '请选择在用的讲师',
  noPeriodType: '请选择课时类型',
  noStart: '请填写开始时间',
  minutes: `时长为${periodMinutes.min}到${periodMinutes.max}分钟`,
  advance: `提前进入时间为0到${maxEntryAdvance}分钟`,
  noWeekdays: '请选择上课的星期',
  noTime: '请填写上课时间',
  noFirstDay: '请填写开始日期',
  untilOrCount: '结束日期和节数请填写其中一项',
  noLastDay: '请填写正确的结束日期',
  turned: '结束日期不能早于开始日期',
  count: `节数为1到${seriesLimit}`,
  skip: '日期请写成 2026-05-01 的形式，多个用逗号或换行分开',
  noDays: '这段时间内没有可排的日期',
  tooMany: `一次最多添加${seriesLimit}节课时`,
} as const;

/** Message for the course field that an import cannot change. */
export const importedCourseMessages = { school: '所属学校不能修改' } as const;
/** Message for the period field that an import cannot change. */
export const importedPeriodMessages = { course: '所属课程不能修改' } as const;

/** Message when a course is copied: its disabled lecturer cannot be given the new periods. */
export const disabledLecturerMessage = (name: string): string => `讲师${name}已停用，请选择新的讲师`;

export const archivedFault = (course: { put_away_at: number | null }): string | undefined =>
  course.put_away_at === null ? undefined : '该课程已停用';
export const restoreFault = (course: { put_away_at: number | null }): string | undefined =>
  course.put_away_at === null ? '该课程未停用' : undefined;

/** Formats counts with their Chinese nouns and leaves out zeros. */
const countTexts = (counts: readonly (readonly [count: number, what: string])[]): string[] =>
  counts.filter(([count]) => count > 0).map(([count, what]) => `${count}${what}`);

export interface CourseRecords {
  periods: number;
  classes: number;
  children: number;
  homework: number;
  sessions: number;
}

/** Why a course cannot be deleted; it can only be archived. */
export function deleteCourseFault({ periods, classes, children, homework, sessions }: CourseRecords) {
  const has = countTexts([
    [periods, '节课时'],
    [classes, '个班级'],
    [children, '门子课程'],
    [homework, '个作业'],
    [sessions, '个课次'],
  ]);
  return has.length > 0 ? `该课程有${has.join('、')}，不能删除，可以停用` : undefined;
}

export const deleteChapterFault = ({ periods }: { periods: number }): string | undefined =>
  periods > 0 ? `该章节有${periods}节课时，不能删除` : undefined;

export interface PeriodRecords {
  /** Number of attendance records, marked by hand or made from watching. */
  attendance: number;
  homework: number;
  sessions: number;
}

export function deletePeriodFault({ attendance, homework, sessions }: PeriodRecords): string | undefined {
  const has = countTexts([
    [attendance, '条考勤和学习记录'],
    [homework, '个作业'],
    [sessions, '个课次'],
  ]);
  return has.length > 0 ? `该课时有${has.join('、')}，不能删除` : undefined;
}

export interface AffectedCounts {
  students: number;
  homework?: number;
  periods?: number;
  attendance?: number;
}

/** Sentence about the people affected; undefined if nobody is. */
export function effectSentence({
  students,
  homework = 0,
  periods = 0,
  attendance = 0,
}: AffectedCounts): string | undefined {
  const whom = countTexts([
    [students, '名学员'],
    [homework, '个未截止的作业'],
    [periods, '节未上的课时'],
    [attendance, '条考勤和学习记录'],
  ]);
  return whom.length > 0 ? `将影响${whom.join('，')}` : undefined;
}

/** Sentence about the periods that an import removes and the number of their students. */
export const removedPeriodsSentence = ({
  title,
  periods,
  students,
}: {
  title: string;
  periods: number;
  students: number;
}) => `《${title}》取消${periods}节课时${students > 0 ? `，${students}名学员` : ''}`;

/** Joins several sentences that the user must acknowledge. */
export const joinSentences = (...said: readonly (string | undefined)[]): string | undefined =>
  said.filter(Boolean).join('；') || undefined;

// ---- days ------------------------------------------------------------------------------------------

const millisecondsOfDay = 24 * 60 * 60 * 1000;
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / millisecondsOfDay;
const dayAt = (number: number) => new Date(number * millisecondsOfDay).toISOString().slice(0, 10);

/** Weekday of a day: 1 Monday to 7 Sunday. */
export const weekdayOf = (day: string): number => ((((numberOf(day) + 3) % 7) + 7) % 7) + 1;
export const weekdayNames = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const;
export const weekdayName = (day: string): string => weekdayNames[weekdayOf(day) - 1] ?? '';

export const addDays = (day: string, count: number): string => dayAt(numberOf(day) + count);
export const daysBetween = (from: string, to: string): number => numberOf(to) - numberOf(from);

/** Days after which the search for the days of a series gives up; longer than any course. */
const longestSeries = 3 * 366;

/**
 * Days of a series until a last day or by count, without skipped days such as holidays. Returns one more than
 * `seriesLimit` if there are more. `worked`: make-up workdays, with the weekday whose lessons are held.
 */
export function seriesDays(series: {
  weekdays: readonly number[];
  first_day: string;
  last_day?: string | undefined;
  count?: number | undefined;
  skip: readonly string[];
  worked?: ReadonlyMap<string, number>;
}): string[] {
  const { weekdays, first_day: first, last_day: last, count = seriesLimit + 1, skip, worked } = series;
  const days: string[] = [];
  for (let at = 0; at < longestSeries && days.length < count; at += 1) {
    const day = addDays(first, at);
    if (day > (last ?? latestDay)) break;
    if (weekdays.includes(worked?.get(day) ?? weekdayOf(day)) && !skip.includes(day)) days.push(day);
  }
  return days;
}

/**
 * Shifts days so that they begin at `first` or later, keeping weekday and order. A day that falls on a skipped day
 * moves a week later, and so do all days after it.
 */
export function shiftDays(days: readonly string[], first: string, skip: readonly string[]): string[] {
  const earliest = days.reduce((least, day) => (day < least ? day : least), days[0] ?? first);
  let weeks = Math.ceil(daysBetween(earliest, first) / 7);
  const inOrder = [...new Set(days)].sort();
  const moved = new Map<string, string>();
  for (const day of inOrder) {
    while (skip.includes(addDays(day, weeks * 7))) weeks += 1;
    moved.set(day, addDays(day, weeks * 7));
  }
  return days.map((day) => moved.get(day) ?? day);
}
