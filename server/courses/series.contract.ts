/** Administrators' calls that add many periods: a series, or a copy of another course. */

import * as v from 'valibot';
import {
  dayList,
  fieldsRule,
  optionalDay,
  requiredDay,
  SearchId,
  SearchIds,
  Seconds,
  TypedDays,
  TypedText,
  WrittenDay,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { CourseTitle, OptionalRecordId, TypedNumber } from './contract.ts';
import { completePeriodFields, typedPeriodFields } from './periods.contract.ts';
import { courseMessages, periodTitleLimit, seriesLimit } from './rules.ts';

const WrittenSeries = v.object({
  ...typedPeriodFields,
  /** One title per line. Periods beyond the last line are named by number. */
  titles: TypedText,
  /** Weekdays: 1 Monday to 7 Sunday. */
  weekdays: SearchIds,
  /** Local start time, `hh:mm`. */
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
    ...completePeriodFields,
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

/** Planned periods with their clashes. To create them, `acknowledged` has to be sent back. */
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
  /** Years of the planned days for which the school has no holidays, so that none were skipped. */
  years_without_holidays: v.array(v.number()),
  /** Years of the plan in which only the days off by law were skipped. */
  years_by_law: v.array(v.number()),
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

const WrittenCopy = v.object({
  title: TypedText,
  /** Earliest day of the first copied period. Each period keeps its weekday. */
  first_day: WrittenDay,
  /** Lecturer of all copied periods; if omitted, each period keeps its own. */
  lecturer_id: SearchId,
  skip: TypedDays,
  acknowledged: TypedText,
});
export type WrittenCopy = v.InferOutput<typeof WrittenCopy>;

export const CompleteCopy = v.object({
  title: CourseTitle,
  first_day: requiredDay(courseMessages.noFirstDay),
  lecturer_id: OptionalRecordId,
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
