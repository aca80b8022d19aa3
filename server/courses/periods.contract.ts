/** Administrators' calls for single periods: list, record, changes and order. */

import * as v from 'valibot';
import {
  FlagNumber,
  OneLine,
  page,
  paging,
  required,
  SearchFlag,
  SearchId,
  SearchSeconds,
  Seconds,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { Placement } from './chapters.contract.ts';
import { OptionalRecordId, TypedNumber } from './contract.ts';
import { courseMessages, maxEntryAdvance, periodMinutes, periodTitleLimit } from './rules.ts';

export const PeriodFilter = v.object({ chapter_id: SearchId, lecturer_id: SearchId, ...paging(50) });
export type PeriodFilter = v.InferOutput<typeof PeriodFilter>;

const rowFields = {
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

export const PeriodRow = v.object(rowFields);
export type PeriodRow = v.InferOutput<typeof PeriodRow>;

export const listPeriods = adminCall({
  method: 'GET',
  path: 'courses/:id/periods',
  title: '课时列表',
  needs: 'teaching',
  query: PeriodFilter,
  answer: page(PeriodRow),
});

/** `effect`: what others notice when the period is changed or deleted; '' if nothing. */
export const PeriodRecord = v.object({
  ...rowFields,
  course_title: v.string(),
  advance_time: v.number(),
  student_code: v.string(),
  allow_enter: FlagNumber,
  is_playback: FlagNumber,
  periods_extend: FlagNumber,
  /** Number of periods of the course that begin after this one. */
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

/** Start time, cut to whole minutes, because lists and exports show no seconds. */
const Start = v.pipe(
  SearchSeconds,
  v.transform((at) => (at === undefined ? undefined : at - (at % 60))),
);

export const typedPeriodFields = {
  chapter_id: SearchId,
  lecturer_id: SearchId,
  periods_type: TypedNumber,
  minutes: TypedNumber,
  advance_time: TypedNumber,
  /** 1 hides the entry to the live room. The name says the opposite, but the specification fixes it. */
  allow_enter: SearchFlag,
  is_playback: SearchFlag,
  /** 1: assistants may enter the rooms of their groups. */
  periods_extend: SearchFlag,
  acknowledged: TypedText,
};

export const NewPeriod = v.object({ ...typedPeriodFields, title: TypedText, start_play: Start });
export type NewPeriod = v.InferOutput<typeof NewPeriod>;
export const EditedPeriod = v.object({ ...NewPeriod.entries, seen: TypedText });
export type EditedPeriod = v.InferOutput<typeof EditedPeriod>;

const PeriodTitle = v.pipe(
  OneLine,
  v.nonEmpty(courseMessages.noPeriodTitle),
  v.check((title) => lengthOf(title) <= periodTitleLimit, courseMessages.periodTitleLength),
);
export const completePeriodFields = {
  chapter_id: OptionalRecordId,
  lecturer_id: OptionalRecordId,
  periods_type: required(courseMessages.noPeriodType),
  minutes: v.pipe(
    v.optional(v.number(), 0),
    v.check((minutes) => minutes >= periodMinutes.min && minutes <= periodMinutes.max, courseMessages.minutes),
  ),
  advance_time: v.pipe(
    v.optional(v.number(), 0),
    v.check((minutes) => minutes >= 0 && minutes <= maxEntryAdvance, courseMessages.advance),
  ),
  allow_enter: v.optional(FlagNumber, 0),
  is_playback: v.optional(FlagNumber, 0),
  periods_extend: v.optional(FlagNumber, 0),
};

export const CompletePeriod = v.object({
  ...completePeriodFields,
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
  body: EditedPeriod,
  answer: v.null(),
  message: '保存成功',
});

export const placePeriod = adminCall({
  method: 'POST',
  path: 'periods/:id/place',
  title: '调整课时顺序',
  needs: 'teaching',
  body: Placement,
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

/**
 * Moves a period to another time. `later` 1: all later periods of the course move too. `seen`: version shown in the
 * form.
 */
export const movePeriod = adminCall({
  method: 'POST',
  path: 'periods/:id/move',
  title: '调整课时时间',
  needs: 'teaching',
  body: v.object({ start_play: Start, later: SearchFlag, seen: TypedText, acknowledged: TypedText }),
  answer: v.object({ count: v.number() }),
});

/** Deletes a period. `acknowledged`: the `effect` of the record, if any. */
export const deletePeriod = adminCall({
  method: 'DELETE',
  path: 'periods/:id',
  title: '删除课时',
  needs: 'teaching',
  query: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '删除成功',
});
