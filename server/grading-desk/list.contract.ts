/** Lists of reports to grade. */
import * as v from 'valibot';
import { homeworkTypes } from '#server/homework/rules.ts';
import { page, paging, SearchDay, SearchId, SearchText, Seconds, searchOneOf } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';

/** Filters of the lists of work to grade. Date ranges include both ends. */
export const GradingFilter = v.object({
  publish_start: SearchDay,
  publish_end: SearchDay,
  name: SearchText,
  type: searchOneOf(homeworkTypes),
  course_title: SearchText,
  periods_title: SearchText,
  nickname: SearchText,
  publisher_name: SearchText,
  /** Restricts the list to one homework. */
  hw_id: SearchId,
  ...paging(),
});
export type GradingFilter = v.InferOutput<typeof GradingFilter>;

/** A report to grade. Times in unix seconds. */
export const GradingRow = v.object({
  report_id: v.number(),
  hw_id: v.number(),
  uid: v.number(),
  name: v.string(),
  nickname: v.string(),
  submit_time: Seconds,
  type: v.picklist(homeworkTypes),
  course_title: v.string(),
  periods_title: v.string(),
  publisher_name: v.string(),
  publish_time: Seconds,
});
export type GradingRow = v.InferOutput<typeof GradingRow>;

export const listReportsToGrade = call({
  method: 'POST',
  path: 'hw/correct',
  title: '待批改列表',
  reads: true,
  needs: 'correct',
  body: GradingFilter,
  answer: page(GradingRow),
});

/**
 * A homework with reports to grade: `waiting` of its `submitted` reports. An assistant's numbers cover the classes that
 * they assist. `students`: the first few students to grade, by time of submission.
 */
export const HomeworkToGrade = v.object({
  hw_id: v.number(),
  name: v.string(),
  type: v.picklist(homeworkTypes),
  course_title: v.string(),
  periods_title: v.string(),
  publisher_name: v.string(),
  publish_time: Seconds,
  ending_time: Seconds,
  waiting: v.number(),
  submitted: v.number(),
  students: v.array(v.object({ report_id: v.number(), uid: v.number(), nickname: v.string(), submit_time: Seconds })),
});
export type HomeworkToGrade = v.InferOutput<typeof HomeworkToGrade>;

/** Lists homework with reports to grade, earliest deadline first. */
export const listHomeworkToGrade = call({
  method: 'POST',
  path: 'hw/correct/groups',
  title: '按作业的待批改列表',
  reads: true,
  needs: 'correct',
  body: GradingFilter,
  answer: page(HomeworkToGrade),
});

export const countReportsToGrade = call({
  method: 'GET',
  path: 'hw/correct/quantity',
  title: '待批改数量',
  needs: 'correct',
  answer: v.object({ quantity: v.number() }),
});
