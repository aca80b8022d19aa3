/** Administrators' calls for chapters and periods: single, in series, and copied from another course. */
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
  SearchFlag,
  SearchId,
  SearchIds,
  SearchSeconds,
  Seconds,
  TypedDays,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { CourseTitle, MaybeRecord, TypedNumber } from './contract.ts';
import {
  chapterTitleLimit,
  courseMessages,
  maxAdvance,
  periodMinutes,
  periodTitleLimit,
  seriesLimit,
} from './rules.ts';

// ---- chapters --------------------------------------------------------------------------------------

export const ChapterRow = v.object({
  id: v.number(),
  title: v.string(),
  periods: v.number(),
  seen: v.string(),
});
export type ChapterRow = v.InferOutput<typeof ChapterRow>;

export const listChapters = adminCall({
  method: 'GET',
  path: 'courses/:id/chapters',
  title: '章节列表',
  needs: 'teaching',
  answer: v.array(ChapterRow),
});

const ChapterTitle = v.pipe(
  OneLine,
  v.nonEmpty(courseMessages.noChapterTitle),
  v.check((title) => lengthOf(title) <= chapterTitleLimit, courseMessages.chapterTitleLength),
);
export const CompleteChapter = v.object({ title: ChapterTitle });

/** Appends a chapter. */
export const addChapter = adminCall({
  method: 'POST',
  path: 'courses/:id/chapters',
  title: '添加章节',
  needs: 'teaching',
  body: v.object({ title: TypedText }),
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const renameChapter = adminCall({
  method: 'PUT',
  path: 'chapters/:id',
  title: '修改章节',
  needs: 'teaching',
  body: v.object({ title: TypedText, seen: TypedText }),
  answer: v.null(),
  message: '保存成功',
});

export const directions = ['up', 'down'] as const;
export type Direction = (typeof directions)[number];
const Placed = v.object({ direction: v.picklist(directions) });

/** Moves a chapter by one place; no effect at the end. */
export const placeChapter = adminCall({
  method: 'POST',
  path: 'chapters/:id/place',
  title: '调整章节顺序',
  needs: 'teaching',
  body: Placed,
  answer: v.null(),
  message: '顺序已调整',
});

/** Deletes an empty chapter. */
export const deleteChapter = adminCall({
  method: 'DELETE',
  path: 'chapters/:id',
  title: '删除章节',
  needs: 'teaching',
  answer: v.null(),
  message: '删除成功',
});

// ---- periods ---------------------------------------------------------------------------------------

export const PeriodFilter = v.object({ chapter_id: SearchId, lecturer_id: SearchId, ...paging(50) });
export type PeriodFilter = v.InferOutput<typeof PeriodFilter>;

const period = {
  id: v.number(),
  course_id: v.number(),
  title: v.string(),
  chapter_id: v.nullable(v.number()),
  chapter_title: v.string(),
  periods_type: v.number(),
  lecturer_id: v.nullable(v.number()),
  lecturer_name: v.string(),
  lecturer_disabled: FlagNumber,
  start_play: Seconds,
  minutes: v.number(),
};

export const PeriodRow = v.object(period);
export type PeriodRow = v.InferOutput<typeof PeriodRow>;

export const listPeriods = adminCall({
  method: 'GET',
  path: 'courses/:id/periods',
  title: '课时列表',
  needs: 'teaching',
  query: PeriodFilter,
  answer: page(PeriodRow),
});

/** `effect`: what others notice when it is changed or deleted; empty: nothing. */
export const PeriodRecord = v.object({
  ...period,
  course_title: v.string(),
  advance_time: v.number(),
  student_code: v.string(),
  allow_enter: FlagNumber,
  is_playback: FlagNumber,
  periods_extend: FlagNumber,
  /** Periods of the course that begin after it. */
  later: v.number(),
  effect: v.string(),
  delete_fault: v.nullable(v.string()),
  seen: v.string(),
});
export type PeriodRecord = v.InferOutput<typeof PeriodRecord>;

export const showPeriod = adminCall({
  method: 'GET',
  path: 'periods/:id',
  title: '课时详情',
  needs: 'teaching',
  answer: PeriodRecord,
});

/** Cut to whole minutes, the precision of lists and exports. */
const Start = v.pipe(
  SearchSeconds,
  v.transform((at) => (at === undefined ? undefined : at - (at % 60))),
);

const common = {
  chapter_id: SearchId,
  lecturer_id: SearchId,
  periods_type: TypedNumber,
  minutes: TypedNumber,
  advance_time: TypedNumber,
  /** Despite its name, which the specification fixes, 1 hides the entry to the live room. */
  allow_enter: SearchFlag,
  is_playback: SearchFlag,
  /** 1: assistants may enter the rooms of their groups. */
  periods_extend: SearchFlag,
  acknowledged: TypedText,
};

export const NewPeriod = v.object({ ...common, title: TypedText, start_play: Start });
export type NewPeriod = v.InferOutput<typeof NewPeriod>;
export const WrittenPeriod = v.object({ ...NewPeriod.entries, seen: TypedText });
export type WrittenPeriod = v.InferOutput<typeof WrittenPeriod>;

const PeriodTitle = v.pipe(
  OneLine,
  v.nonEmpty(courseMessages.noPeriodTitle),
  v.check((title) => lengthOf(title) <= periodTitleLimit, courseMessages.periodTitleLength),
);
const completeCommon = {
  chapter_id: MaybeRecord,
  lecturer_id: MaybeRecord,
  periods_type: required(courseMessages.noPeriodType),
  minutes: v.pipe(
    v.optional(v.number(), 0),
    v.check((minutes) => minutes >= periodMinutes.min && minutes <= periodMinutes.max, courseMessages.minutes),
  ),
  advance_time: v.pipe(
    v.optional(v.number(), 0),
    v.check((minutes) => minutes >= 0 && minutes <= maxAdvance, courseMessages.advance),
  ),
  allow_enter: v.optional(FlagNumber, 0),
  is_playback: v.optional(FlagNumber, 0),
  periods_extend: v.optional(FlagNumber, 0),
};

export const CompletePeriod = v.object({
  ...completeCommon,
  title: PeriodTitle,
  start_play: required(courseMessages.noStart),
});
export type CompletePeriod = v.InferOutput<typeof CompletePeriod>;

export const addPeriod = adminCall({
  method: 'POST',
  path: 'courses/:id/periods',
  title: '添加课时',
  needs: 'teaching',
  body: NewPeriod,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editPeriod = adminCall({
  method: 'PUT',
  path: 'periods/:id',
  title: '修改课时',
  needs: 'teaching',
  body: WrittenPeriod,
  answer: v.null(),
  message: '保存成功',
});

export const placePeriod = adminCall({
  method: 'POST',
  path: 'periods/:id/place',
  title: '调整课时顺序',
  needs: 'teaching',
  body: Placed,
  answer: v.null(),
  message: '顺序已调整',
});

/** Sorts all periods of a course by time. */
export const sortPeriods = adminCall({
  method: 'POST',
  path: 'courses/:id/periods/sort',
  title: '课时按时间排序',
  needs: 'teaching',
  answer: v.null(),
  message: '已按时间排序',
});

/** Moves a period; `later` shifts all later ones too. `seen` as in an edit. */
export const movePeriod = adminCall({
  method: 'POST',
  path: 'periods/:id/move',
  title: '调整课时时间',
  needs: 'teaching',
  body: v.object({ start_play: Start, later: SearchFlag, seen: TypedText, acknowledged: TypedText }),
  answer: v.object({ count: v.number() }),
});

/** `acknowledged`: the `effect` of the record. */
export const deletePeriod = adminCall({
  method: 'DELETE',
  path: 'periods/:id',
  title: '删除课时',
  needs: 'teaching',
  query: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '删除成功',
});

// ---- series ----------------------------------------------------------------------------------------

const WrittenSeries = v.object({
  ...common,
  /** One title per line; periods beyond the last line are named by number. */
  titles: TypedText,
  /** 1 Monday to 7 Sunday. */
  weekdays: SearchIds,
  /** Local time, `hh:mm`. */
  time: TypedText,
  first_day: WrittenDay,
  /** The series ends on this day, or after `count` periods. */
  last_day: WrittenDay,
  count: TypedNumber,
  /** Days without a lesson, `yyyy-mm-dd`, separated by commas or line breaks. */
  skip: TypedDays,
});
export type WrittenSeries = v.InferOutput<typeof WrittenSeries>;

export const SkippedDays = dayList(courseMessages.skip);

export const CompleteSeries = v.pipe(
  v.object({
    ...completeCommon,
    titles: v.pipe(
      v.string(),
      v.transform((text) =>
        text
          .split('\n')
          .map((line) => line.replace(/\s+/g, ' ').trim())
          .filter(Boolean),
      ),
      v.check(
        (titles) => titles.every((title) => lengthOf(title) <= periodTitleLimit),
        courseMessages.periodTitleLength,
      ),
    ),
    weekdays: v.pipe(
      v.array(v.number()),
      v.check((days) => days.length > 0 && days.every((day) => day <= 7), courseMessages.noWeekdays),
    ),
    time: v.pipe(v.string(), v.trim(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, courseMessages.noTime)),
    first_day: requiredDay(courseMessages.noFirstDay),
    last_day: optionalDay(courseMessages.noLastDay),
    count: v.pipe(
      v.optional(v.number()),
      v.check((count) => count === undefined || (count >= 1 && count <= seriesLimit), courseMessages.count),
    ),
    skip: SkippedDays,
  }),
  fieldsRule(
    ['first_day', 'last_day'],
    ({ first_day, last_day }) => last_day === undefined || last_day >= first_day,
    courseMessages.turned,
  ),
  fieldsRule(
    ['last_day', 'count'],
    ({ last_day, count }) => (last_day === undefined) !== (count === undefined),
    courseMessages.untilOrCount,
  ),
);
export type CompleteSeries = v.InferOutput<typeof CompleteSeries>;

/** Planned periods with their clashes. `acknowledged` has to be sent back to create them. */
export const SeriesPreview = v.object({
  list: v.array(
    v.object({
      title: v.string(),
      lecturer_name: v.string(),
      start_play: Seconds,
      minutes: v.number(),
      clashes: v.array(v.string()),
    }),
  ),
  acknowledged: v.string(),
});
export type SeriesPreview = v.InferOutput<typeof SeriesPreview>;

export const previewPeriods = adminCall({
  method: 'POST',
  path: 'courses/:id/periods/preview',
  title: '预览批量课时',
  reads: true,
  needs: 'teaching',
  body: WrittenSeries,
  answer: SeriesPreview,
});

export const addPeriods = adminCall({
  method: 'POST',
  path: 'courses/:id/periods/series',
  title: '批量添加课时',
  needs: 'teaching',
  body: WrittenSeries,
  answer: v.object({ ids: v.array(v.number()) }),
});

// ---- copies ----------------------------------------------------------------------------------------

const WrittenCopy = v.object({
  title: TypedText,
  /** Earliest day of the first period; each period keeps its weekday. */
  first_day: WrittenDay,
  /** Replaces every lecturer; omitted: each period keeps its own. */
  lecturer_id: SearchId,
  skip: TypedDays,
  acknowledged: TypedText,
});
export type WrittenCopy = v.InferOutput<typeof WrittenCopy>;

export const CompleteCopy = v.object({
  title: CourseTitle,
  first_day: requiredDay(courseMessages.noFirstDay),
  lecturer_id: MaybeRecord,
  skip: SkippedDays,
});

export const previewCopy = adminCall({
  method: 'POST',
  path: 'courses/:id/copy/preview',
  title: '预览复制课程',
  reads: true,
  needs: 'teaching',
  body: WrittenCopy,
  answer: SeriesPreview,
});

export const copyCourse = adminCall({
  method: 'POST',
  path: 'courses/:id/copy',
  title: '复制课程',
  description: '章节、顺序和课时都会复制，课时按星期移到新的日期；班级和作业不复制。',
  needs: 'teaching',
  body: WrittenCopy,
  answer: v.object({ id: v.number() }),
});
