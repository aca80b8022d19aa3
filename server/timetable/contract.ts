/**
 * Timetables: weekly rules, which an import turns into periods and lessons. Also the view of an import week by week.
 */

import * as v from 'valibot';
import { CreatedImport } from '#server/import/actions.contract.ts';
import { importStates, parities, rowOutcomes, timetableWeeks } from '#server/import/rules.ts';
import {
  dayList,
  FlagNumber,
  fieldsRule,
  IdAndName,
  OneLine,
  optionalDay,
  required,
  requiredDay,
  SearchDay,
  SearchFlag,
  SearchId,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedDays,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { lessonMinutes } from '#server/sessions/rules.ts';
import { maxTimetableRules, timetableMessages, timetableNameLimit } from './rules.ts';

const needs = 'teaching';
const modes = [1, 2] as const;

/**
 * A weekly rule. With `class_id` 0 it makes periods of the course, for every class that takes the course. For a group or
 * one-to-one class it makes lessons. For a state-school class it makes periods of a child course that the class alone
 * takes, and the child course if there is none yet. `weekday`: 1 (Monday) to 7 (Sunday). Weeks count from 1; `parity`
 * limits the rule to odd or even weeks.
 */
const WrittenRule = v.object({
  class_id: SearchId,
  course_id: SearchId,
  weekday: SearchId,
  start: TypedText,
  end: TypedText,
  first_week: SearchId,
  last_week: SearchId,
  parity: searchWord(parities),
  lecturer_id: SearchId,
  room_id: SearchId,
  teaching_mode: searchOneOf(modes),
});
export type WrittenRule = v.InferOutput<typeof WrittenRule>;

/**
 * A timetable. `first_day`: any day of the first week. Lessons before `from_day` stay unchanged. From that day on, the
 * timetable replaces the lessons that earlier timetables of the school made for the same classes and courses, or for
 * the classes and courses of the timetable `based_on`.
 */
export const WrittenTimetable = v.object({
  school_id: SearchId,
  name: TypedText,
  first_day: WrittenDay,
  weeks: SearchId,
  from_day: WrittenDay,
  /** 1: no lessons on holidays; make-up workdays follow the timetable of another weekday. */
  holidays: SearchFlag,
  skip: TypedDays,
  based_on: SearchId,
  rules: v.fallback(v.array(WrittenRule), []),
});
export type WrittenTimetable = v.InferOutput<typeof WrittenTimetable>;

const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeField = (message: string) => v.pipe(v.string(), v.trim(), v.regex(isTime, message));

const CompleteRule = v.pipe(
  v.object({
    class_id: v.optional(v.number(), 0),
    course_id: required(timetableMessages.noCourse),
    weekday: v.pipe(
      required(timetableMessages.noWeekday),
      v.check((day) => day <= 7, timetableMessages.noWeekday),
    ),
    start: timeField(timetableMessages.noStart),
    end: timeField(timetableMessages.noEnd),
    first_week: v.optional(v.number(), 1),
    last_week: v.optional(v.number(), 0),
    parity: v.optional(v.picklist(parities), 'all'),
    lecturer_id: v.optional(v.number(), 0),
    room_id: v.optional(v.number(), 0),
    teaching_mode: v.optional(v.picklist(modes), 1),
  }),
  fieldsRule(
    ['start', 'end'],
    ({ start, end }) => {
      const minutes = minutesOf(end) - minutesOf(start);
      return minutes >= lessonMinutes.least && minutes <= lessonMinutes.most;
    },
    timetableMessages.span,
  ),
  fieldsRule(
    ['class_id', 'lecturer_id'],
    ({ class_id, lecturer_id }) => class_id === 0 || lecturer_id !== 0,
    timetableMessages.noLecturer,
  ),
  fieldsRule(
    ['first_week', 'last_week'],
    ({ first_week, last_week }) => last_week === 0 || last_week >= first_week,
    timetableMessages.turned,
  ),
);
export type CompleteRule = v.InferOutput<typeof CompleteRule>;

export const CompleteTimetable = v.object({
  school_id: required(timetableMessages.noSchool),
  name: v.pipe(
    OneLine,
    v.nonEmpty(timetableMessages.noName),
    v.check((name) => lengthOf(name) <= timetableNameLimit, timetableMessages.nameLength),
  ),
  first_day: requiredDay(timetableMessages.noFirstDay),
  weeks: v.pipe(
    required(timetableMessages.weeks),
    v.check((weeks) => weeks <= timetableWeeks, timetableMessages.weeks),
  ),
  from_day: optionalDay(timetableMessages.fromDay),
  holidays: v.optional(FlagNumber, 0),
  skip: dayList(timetableMessages.skip),
  based_on: v.optional(v.number()),
  rules: v.pipe(
    v.array(CompleteRule),
    v.nonEmpty(timetableMessages.noRules),
    v.maxLength(maxTimetableRules, timetableMessages.tooManyRules),
  ),
});
export type CompleteTimetable = v.InferOutput<typeof CompleteTimetable>;

/** Creates an import from a timetable and returns its id. The import is checked at once, as every import is. */
export const makeTimetable = adminCall({
  method: 'POST',
  path: 'import/timetable',
  title: '按规则排课表',
  description: '规则展开为课时和课次，作为一次导入检查；生效日期之前的保持原样，之后的由新课表代替。',
  needs,
  body: WrittenTimetable,
  answer: CreatedImport,
  message: '已检查',
});

/**
 * Choices of the form. `targets`: what a rule can be for, either a course for all its classes, or a class with one of
 * its courses.
 */
export const TimetableOptions = v.object({
  schools: v.array(IdAndName),
  school_id: v.number(),
  targets: v.array(v.object({ class_id: v.number(), course_id: v.number(), name: v.string() })),
  /** Number of further targets that are not listed; a search by `name` finds them. */
  more: v.number(),
  lecturers: v.array(IdAndName),
  rooms: v.array(IdAndName),
  /** Terms whose first day is known. `weeks` is 0 if the last day is unknown. */
  terms: v.array(v.object({ id: v.number(), name: v.string(), first_day: v.string(), weeks: v.number() })),
  /** Timetable with which the form begins; null if none. */
  plan: v.nullable(WrittenTimetable),
  /** Id of the import of the school's latest timetable that was applied; 0 if none. */
  latest: v.number(),
});
export type TimetableOptions = v.InferOutput<typeof TimetableOptions>;

export const timetableOptions = adminCall({
  method: 'GET',
  path: 'import/timetable',
  title: '课表的可选内容',
  needs,
  query: v.object({ school_id: SearchId, from: SearchId, name: SearchText }),
  answer: TimetableOptions,
});

// ---- week view of an import -------------------------------------------------------------------------

/**
 * An entry of a week. `clashes`: the other entry, and who or what both need. `record` is 0 if the entry is not created
 * yet.
 */
const WeekEntry = v.object({
  row: v.number(),
  kind: v.picklist(['period', 'lesson']),
  verdict: v.picklist(rowOutcomes),
  start_time: Seconds,
  end_time: Seconds,
  title: v.string(),
  class_name: v.string(),
  lecturer: v.string(),
  room: v.string(),
  clashes: v.array(v.string()),
});
export type WeekEntry = v.InferOutput<typeof WeekEntry>;

/** A week of an import. `weeks`: Mondays of all weeks in which the import plans something. */
export const ImportWeek = v.object({
  id: v.number(),
  file_name: v.string(),
  state: v.picklist(importStates),
  monday: v.string(),
  weeks: v.array(v.object({ monday: v.string(), count: v.number(), clashes: v.number() })),
  entries: v.array(WeekEntry),
});
export type ImportWeek = v.InferOutput<typeof ImportWeek>;

export const showImportWeek = adminCall({
  method: 'GET',
  path: 'import/:id/week',
  title: '导入后的课表',
  description: '按周列出导入涉及的课时和课次，以及与谁时间冲突。不填日期时为第一个有变化的星期。',
  needs,
  query: v.object({ day: SearchDay }),
  answer: ImportWeek,
});
