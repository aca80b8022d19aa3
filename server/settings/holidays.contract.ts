/** Holidays without lessons, and make-up workdays. */

import * as v from 'valibot';
import {
  FlagNumber,
  OneLine,
  optionalDay,
  requiredDay,
  SearchFlag,
  SearchYear,
  searchOneOf,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { holidayMessages, holidayNameLimit } from './rules.ts';

/** 1 is Monday. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

export const Holiday = v.object({
  id: v.number(),
  /** `yyyy-mm-dd`. */
  day: v.string(),
  name: v.string(),
  /** 1: a make-up workday. */
  is_workday: FlagNumber,
  /** Weekday whose timetable a make-up workday follows; null: its own weekday, or no lessons. */
  as_weekday: v.nullable(v.picklist(weekdays)),
});
export type Holiday = v.InferOutput<typeof Holiday>;

export const listHolidays = adminCall({
  method: 'GET',
  path: 'holidays',
  title: '节假日',
  needs: 'settings',
  query: v.object({ year: SearchYear }),
  answer: v.array(Holiday),
});

/** Range of days, both inclusive; one day if `to` is missing. */
export const NewHolidays = v.object({
  from: WrittenDay,
  to: WrittenDay,
  name: TypedText,
  is_workday: SearchFlag,
  as_weekday: searchOneOf(weekdays),
});
export type NewHolidays = v.InferOutput<typeof NewHolidays>;

export const CompleteHolidays = v.object({
  from: requiredDay(holidayMessages.noDay),
  to: optionalDay(holidayMessages.noLastDay),
  name: v.pipe(
    OneLine,
    v.nonEmpty(holidayMessages.noName),
    v.check((name) => lengthOf(name) <= holidayNameLimit, holidayMessages.nameLength),
  ),
  is_workday: v.optional(FlagNumber, 0),
  as_weekday: v.optional(v.picklist(weekdays)),
});

export const addHolidays = adminCall({
  method: 'POST',
  path: 'holidays',
  title: '添加节假日或调休',
  needs: 'settings',
  body: NewHolidays,
  answer: v.object({ count: v.number() }),
  message: '添加成功',
});

export const removeHoliday = adminCall({
  method: 'DELETE',
  path: 'holidays/:id',
  title: '删除节假日或调休',
  needs: 'settings',
  answer: v.null(),
  message: '删除成功',
});
