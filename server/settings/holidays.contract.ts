/** Holidays without lessons, and make-up workdays. */

import * as v from 'valibot';
import {
  FlagNumber,
  OneLine,
  optionalDay,
  requiredDay,
  SearchFlag,
  SearchYear,
  Seconds,
  searchOneOf,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { holidayMessages, holidayNameLimit } from './rules.ts';

/** Weekdays from 1 (Monday) to 7 (Sunday). */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

export const Holiday = v.object({
  id: v.number(),
  /** Day as `yyyy-mm-dd`. */
  day: v.string(),
  name: v.string(),
  /** 1: a workday that makes up for a holiday. */
  is_workday: FlagNumber,
  /** Weekday whose timetable a make-up workday follows. Null: the day's own weekday, or no lessons. */
  as_weekday: v.nullable(v.picklist(weekdays)),
});
export type Holiday = v.InferOutput<typeof Holiday>;

/** A period of a course, or a lesson of a group or one-to-one class, on a day off. */
export const StandingLesson = v.object({
  kind: v.picklist(['period', 'session']),
  id: v.number(),
  start_time: Seconds,
  /** Name of the class; '' for a period. */
  class_name: v.string(),
  course_title: v.string(),
  title: v.string(),
  lecturer_name: v.string(),
});
export type StandingLesson = v.InferOutput<typeof StandingLesson>;

const dayLessons = {
  /**
   * Number of periods and lessons on the day off that have not begun, in the caller's schools. No change happens
   * automatically.
   */
  lesson_count: v.number(),
  /** The first five of these lessons. */
  lessons: v.array(StandingLesson),
};
const DayLessons = v.object(dayLessons);
export type DayLessons = v.InferOutput<typeof DayLessons>;

export const ListedHoliday = v.object({ ...Holiday.entries, ...dayLessons });
export type ListedHoliday = v.InferOutput<typeof ListedHoliday>;

export const listHolidays = adminCall({
  method: 'GET',
  path: 'holidays',
  title: '节假日',
  needs: 'settings',
  query: v.object({ year: SearchYear }),
  answer: v.array(ListedHoliday),
});

/** First and last day to add; without `to` only one day. */
export const NewHolidays = v.object({
  from: WrittenDay,
  to: WrittenDay,
  name: TypedText,
  is_workday: SearchFlag,
  as_weekday: searchOneOf(weekdays),
});
export type NewHolidays = v.InferOutput<typeof NewHolidays>;

const completeArrangement = {
  name: v.pipe(
    OneLine,
    v.nonEmpty(holidayMessages.noName),
    v.check((name) => lengthOf(name) <= holidayNameLimit, holidayMessages.nameLength),
  ),
  is_workday: v.optional(FlagNumber, 0),
  as_weekday: v.optional(v.picklist(weekdays)),
};

export const CompleteHolidays = v.object({
  from: requiredDay(holidayMessages.noDay),
  to: optionalDay(holidayMessages.noLastDay),
  ...completeArrangement,
});

/** Adds holidays or make-up workdays. `message` of the answer says how many lessons are planned on the new days off. */
export const addHolidays = adminCall({
  method: 'POST',
  path: 'holidays',
  title: '添加节假日或调休',
  needs: 'settings',
  body: NewHolidays,
  answer: v.object({ count: v.number() }),
  message: '添加成功',
});

/** A day for its form. `seen`: version to send back. */
export const HolidayRecord = v.object({ ...Holiday.entries, seen: v.string() });
export type HolidayRecord = v.InferOutput<typeof HolidayRecord>;

export const showHoliday = adminCall({
  method: 'GET',
  path: 'holidays/:id',
  title: '节假日或调休详情',
  needs: 'settings',
  answer: HolidayRecord,
});

export const EditedHoliday = v.object({
  day: WrittenDay,
  name: TypedText,
  is_workday: SearchFlag,
  as_weekday: searchOneOf(weekdays),
  seen: TypedText,
});
export type EditedHoliday = v.InferOutput<typeof EditedHoliday>;

export const CompleteHoliday = v.object({ day: requiredDay(holidayMessages.noDay), ...completeArrangement });

/** Edits one day. `message` of the answer says how many lessons are planned on a day that became a day off. */
export const editHoliday = adminCall({
  method: 'PUT',
  path: 'holidays/:id',
  title: '修改节假日或调休',
  needs: 'settings',
  body: EditedHoliday,
  answer: v.null(),
  message: '保存成功',
});

export const removeHoliday = adminCall({
  method: 'DELETE',
  path: 'holidays/:id',
  title: '删除节假日或调休',
  needs: 'settings',
  answer: v.null(),
  message: '删除成功',
});

// ---- the national list ------------------------------------------------------------------------------

const arrangement = { name: Holiday.entries.name, is_workday: FlagNumber, as_weekday: Holiday.entries.as_weekday };

export const NationalDay = v.object({
  day: v.string(),
  ...arrangement,
  /** Holiday or make-up workday that the school has recorded for the day already; null if none. */
  present: v.nullable(v.object(arrangement)),
  ...dayLessons,
});
export type NationalDay = v.InferOutput<typeof NationalDay>;

export const NationalHolidays = v.object({
  year: v.number(),
  /**
   * 0: the list has only the days off by law, because the make-up workdays of the year are not announced, or were
   * announced after this version.
   */
  is_announced: FlagNumber,
  days: v.array(NationalDay),
});
export type NationalHolidays = v.InferOutput<typeof NationalHolidays>;

export const listNationalHolidays = adminCall({
  method: 'GET',
  path: 'holidays/national',
  title: '国家法定节假日',
  description: '国务院办公厅公布的放假和调休安排；尚未公布的年份只有法定日期。',
  needs: 'settings',
  query: v.object({ year: SearchYear }),
  answer: NationalHolidays,
});

/**
 * Days to add from the national list. `as_weekday`: weekday whose timetable a make-up workday follows; if missing, the
 * day's own.
 */
export const ChosenNationalDays = v.object({
  days: v.fallback(v.array(v.object({ day: WrittenDay, as_weekday: searchOneOf(weekdays) })), []),
});
export type ChosenNationalDays = v.InferOutput<typeof ChosenNationalDays>;

export const adoptHolidays = adminCall({
  method: 'POST',
  path: 'holidays/national',
  title: '采用国家法定节假日',
  needs: 'settings',
  body: ChosenNationalDays,
  answer: v.object({ count: v.number() }),
  message: '添加成功',
});

export const HolidayYearFilter = v.object({ by_law: SearchFlag });
export type HolidayYearFilter = v.InferOutput<typeof HolidayYearFilter>;

/**
 * Lists the years that have days off. `by_law=1`: only years whose days are the days off by law alone. For users who plan
 * lessons but may not see the settings.
 */
export const listHolidayYears = adminCall({
  method: 'GET',
  path: 'holidays/years',
  title: '已设置节假日的年份',
  needs: ['teaching', 'settings'],
  query: HolidayYearFilter,
  answer: v.array(v.number()),
});
