/**
 * Calls of administrators for lessons of group and one-to-one classes: single lessons, series, and many lessons at
 * once.
 */
import * as v from 'valibot';
import {
  dayList,
  FlagNumber,
  fieldsRule,
  OneLine,
  optionalDay,
  page,
  paging,
  required,
  requiredDay,
  SearchDay,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  TypedDays,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import {
  cancelReasonLimit,
  chapterTitleLimit,
  lessonMessages,
  lessonMinutes,
  maxLessonsAtOnce,
  sessionStatuses,
  sessionTypes,
} from './rules.ts';

const needs = 'teaching';
const modes = [1, 2] as const;

/** Filters of the lesson list. `name` matches class names. `start_at` and `end_at` are the first and the last day. */
export const LessonFilter = v.object({
  /** Limits the list to the lessons with these ids; empty for all lessons. */
  ids: SearchIds,
  name: SearchText,
  class_id: SearchId,
  class_type: searchOneOf(sessionTypes),
  lecturer_id: SearchId,
  room_id: SearchId,
  school_id: SearchId,
  status: searchOneOf(sessionStatuses),
  start_at: SearchDay,
  end_at: SearchDay,
  ...paging(),
});
export type LessonFilter = v.InferOutput<typeof LessonFilter>;

export const LessonRow = v.object({
  id: v.number(),
  class_id: v.number(),
  class_name: v.string(),
  class_type: v.picklist(sessionTypes),
  school_name: v.string(),
  course_id: v.number(),
  course_title: v.string(),
  /** Period of the course that the lesson teaches; 0 if none. */
  period_id: v.number(),
  chapter_title: v.string(),
  lecturer_id: v.number(),
  lecturer_name: v.string(),
  /** Names of the class's assistants, separated by 、. */
  assistants: v.string(),
  room_id: v.number(),
  room_name: v.string(),
  teaching_mode: v.picklist(modes),
  start_time: Seconds,
  end_time: Seconds,
  status: v.picklist(sessionStatuses),
  cancel_reason: v.string(),
});
export type LessonRow = v.InferOutput<typeof LessonRow>;

export const listLessons = adminCall({
  method: 'GET',
  path: 'lessons',
  title: '全部课次',
  needs,
  query: LessonFilter,
  answer: page(LessonRow),
});

/**
 * Choices for lessons of a class. `lecturer_id` and the other single ids are the defaults, from the class or its last
 * lesson.
 */
export const LessonOptions = v.object({
  class_id: v.number(),
  class_name: v.string(),
  courses: v.array(v.object({ id: v.number(), name: v.string() })),
  periods: v.array(v.object({ id: v.number(), name: v.string(), course_id: v.number() })),
  lecturers: v.array(v.object({ id: v.number(), name: v.string() })),
  rooms: v.array(v.object({ id: v.number(), name: v.string() })),
  lecturer_id: v.number(),
  room_id: v.number(),
  teaching_mode: v.picklist(modes),
});
export type LessonOptions = v.InferOutput<typeof LessonOptions>;

export const lessonOptions = adminCall({
  method: 'GET',
  path: 'lessons/options/:classId',
  title: '排课的可选内容',
  needs,
  answer: LessonOptions,
});

/** A lesson for its form. `day`, `start` and `end` are local time. `seen` is the version, sent back with the form. */
export const LessonRecord = v.object({
  ...LessonRow.entries,
  day: v.string(),
  start: v.string(),
  end: v.string(),
  students_count: v.number(),
  seen: v.string(),
});
export type LessonRecord = v.InferOutput<typeof LessonRecord>;

export const showLesson = adminCall({
  method: 'GET',
  path: 'lessons/:id',
  title: '课次资料',
  needs,
  answer: LessonRecord,
});

// ---- form fields -------------------------------------------------------------------------------------

const written = {
  course_id: SearchId,
  period_id: SearchId,
  chapter_title: TypedText,
  lecturer_id: SearchId,
  room_id: SearchId,
  teaching_mode: searchOneOf(modes),
  /** Times of day, `hh:mm`. */
  start: TypedText,
  end: TypedText,
  acknowledged: TypedText,
};

/**
 * Lessons to plan. Without `weekdays` one lesson on `first_day`; otherwise a lesson on each of these weekdays, until
 * `last_day` or until there are `count` lessons.
 */
export const NewLessons = v.object({
  ...written,
  class_id: SearchId,
  first_day: WrittenDay,
  /** Weekdays from 1 (Monday) to 7 (Sunday). */
  weekdays: SearchIds,
  last_day: WrittenDay,
  count: TypedText,
  /** Days without a lesson, separated by commas, spaces or line breaks. */
  skip: TypedDays,
  /** 1: the lessons teach the periods of the course in order, from the first period that the class has not had. */
  by_periods: SearchFlag,
});
export type NewLessons = v.InferOutput<typeof NewLessons>;

const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeField = (message: string) => v.pipe(v.string(), v.trim(), v.regex(isTime, message));

const completed = {
  course_id: required(lessonMessages.noCourse),
  period_id: v.optional(v.number(), 0),
  chapter_title: v.pipe(
    OneLine,
    v.check((title) => lengthOf(title) <= chapterTitleLimit, lessonMessages.chapterLength),
  ),
  lecturer_id: required(lessonMessages.noLecturer),
  room_id: v.optional(v.number(), 0),
  teaching_mode: v.optional(v.picklist(modes), 1),
  start: timeField(lessonMessages.noStart),
  end: timeField(lessonMessages.noEnd),
};

/** True if the length is allowed and the lesson does not run past midnight. */
const isAllowedLength = ({ start, end }: { start: string; end: string }): boolean => {
  const minutes = minutesOf(end) - minutesOf(start);
  return minutes >= lessonMinutes.least && minutes <= lessonMinutes.most;
};

export const CompleteNewLessons = v.pipe(
  v.object({
    ...completed,
    class_id: required(lessonMessages.noClass),
    first_day: requiredDay(lessonMessages.noDay),
    weekdays: v.pipe(
      v.array(v.number()),
      v.check((days) => days.every((day) => day <= 7), lessonMessages.weekdays),
    ),
    last_day: optionalDay(lessonMessages.noLastDay),
    count: v.pipe(
      v.string(),
      v.trim(),
      v.transform((text) => (text === '' ? undefined : Number(text))),
      v.check(
        (count) => count === undefined || (Number.isInteger(count) && count >= 1 && count <= maxLessonsAtOnce),
        lessonMessages.count,
      ),
    ),
    skip: dayList(lessonMessages.skip),
    by_periods: v.optional(FlagNumber, 0),
  }),
  fieldsRule(['start', 'end'], isAllowedLength, lessonMessages.span),
  fieldsRule(
    ['weekdays', 'count', 'last_day'],
    ({ weekdays, last_day, count }) => weekdays.length === 0 || last_day !== undefined || count !== undefined,
    lessonMessages.bound,
  ),
  fieldsRule(
    ['first_day', 'last_day'],
    ({ first_day, last_day }) => last_day === undefined || last_day >= first_day,
    lessonMessages.turned,
  ),
);
export type CompleteNewLessons = v.InferOutput<typeof CompleteNewLessons>;

/**
 * Preview of planned lessons. `clashes`: time conflicts in words. `effect`: sentence that the user must confirm; '' if
 * there is nothing to confirm.
 */
export const LessonsPreview = v.object({
  lessons: v.array(
    v.object({
      start_time: Seconds,
      end_time: Seconds,
      chapter_title: v.string(),
      clashes: v.array(v.string()),
    }),
  ),
  effect: v.string(),
  /** Years of the plan without any day off, so that none was skipped. */
  years_without_holidays: v.array(v.number()),
  /** Years of the plan in which only the days off by law were skipped. */
  years_by_law: v.array(v.number()),
});
export type LessonsPreview = v.InferOutput<typeof LessonsPreview>;

export const previewLessons = adminCall({
  method: 'POST',
  path: 'lessons/preview',
  title: '预览排课',
  needs,
  reads: true,
  body: NewLessons,
  answer: LessonsPreview,
});

export const addLessons = adminCall({
  method: 'POST',
  path: 'lessons',
  title: '排课',
  needs,
  body: NewLessons,
  answer: v.object({ ids: v.array(v.number()) }),
});

export const EditedLesson = v.object({
  ...written,
  day: WrittenDay,
  /** 1: notifies the students by text message if the time changes. */
  notify: SearchFlag,
  seen: TypedText,
});
export type EditedLesson = v.InferOutput<typeof EditedLesson>;

export const CompleteLesson = v.pipe(
  v.object({ ...completed, day: requiredDay(lessonMessages.noDay) }),
  fieldsRule(['start', 'end'], isAllowedLength, lessonMessages.span),
);

export const editLesson = adminCall({
  method: 'PUT',
  path: 'lessons/:id',
  title: '修改或移动课次',
  needs,
  body: EditedLesson,
  answer: v.null(),
  message: '保存成功',
});

// ---- in bulk -----------------------------------------------------------------------------------------

const chosen = v.pipe(
  v.array(v.number()),
  v.nonEmpty(lessonMessages.nobody),
  v.maxLength(maxLessonsAtOnce, lessonMessages.tooManyChosen),
);

export const WrittenCancellation = v.object({
  ids: SearchIds,
  reason: TypedText,
  notify: SearchFlag,
  acknowledged: TypedText,
});
export type WrittenCancellation = v.InferOutput<typeof WrittenCancellation>;

export const CompleteCancellation = v.object({
  ids: chosen,
  reason: v.pipe(
    OneLine,
    v.nonEmpty(lessonMessages.noReason),
    v.check((reason) => lengthOf(reason) <= cancelReasonLimit, lessonMessages.reasonLength),
  ),
  notify: v.optional(FlagNumber, 0),
});

/** Cancels several lessons, all or none. */
export const cancelLessons = adminCall({
  method: 'POST',
  path: 'lessons/cancel',
  title: '取消课次',
  needs,
  body: WrittenCancellation,
  answer: v.object({ count: v.number() }),
  message: '课次已取消',
});

export const restoreLessons = adminCall({
  method: 'POST',
  path: 'lessons/restore',
  title: '恢复已取消的课次',
  needs,
  body: v.object({ ids: SearchIds, acknowledged: TypedText }),
  answer: v.object({ count: v.number() }),
  message: '课次已恢复',
});

/**
 * Changes of several lessons; an empty field leaves its value unchanged. `days`: number of days later, or earlier if
 * negative.
 */
export const WrittenMoves = v.object({
  ids: SearchIds,
  days: TypedText,
  start: TypedText,
  end: TypedText,
  lecturer_id: SearchId,
  room_id: SearchId,
  notify: SearchFlag,
  acknowledged: TypedText,
});
export type WrittenMoves = v.InferOutput<typeof WrittenMoves>;

const maybeTime = (message: string) =>
  v.union([v.pipe(v.string(), v.trim(), v.literal('')), timeField(message)], message);

export const CompleteMoves = v.pipe(
  v.object({
    ids: chosen,
    days: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^(?:-?\d{1,3})?$/, lessonMessages.shift),
      v.transform(Number),
      v.check((days) => Math.abs(days) <= 365, lessonMessages.shift),
    ),
    start: maybeTime(lessonMessages.noStart),
    end: maybeTime(lessonMessages.noEnd),
    lecturer_id: v.optional(v.number(), 0),
    room_id: v.optional(v.number(), 0),
    notify: v.optional(FlagNumber, 0),
  }),
  fieldsRule(
    ['start', 'end'],
    ({ start, end }) => (start === '') === (end === '') && (start === '' || isAllowedLength({ start, end })),
    lessonMessages.span,
  ),
  fieldsRule(
    ['start', 'lecturer_id', 'room_id', 'days'],
    ({ days, start, lecturer_id, room_id }) => days !== 0 || start !== '' || lecturer_id !== 0 || room_id !== 0,
    lessonMessages.nothing,
  ),
);
export type CompleteMoves = v.InferOutput<typeof CompleteMoves>;

/** Moves several lessons, all or none. */
export const moveLessons = adminCall({
  method: 'POST',
  path: 'lessons/move',
  title: '批量移动课次',
  needs,
  body: WrittenMoves,
  answer: v.object({ count: v.number() }),
  message: '课次已调整',
});
