/** The workbench: all work that waits for a user, in one answer. */

import * as v from 'valibot';
import { LeaveInboxRow } from '#server/attendance/leave.contract.ts';
import { CalendarCourse } from '#server/calendar/contract.ts';
import { FlagNumber, Seconds } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';

/** Schema of a part of the workbench: `total` counts all rows, `list` has the first few. */
/* @__NO_SIDE_EFFECTS__ */
const waiting = <const Row extends v.GenericSchema<unknown, unknown>>(row: Row) =>
  v.object({ total: v.number(), reports: v.number(), list: v.array(row) });

export const WaitingHomework = v.object({
  id: v.number(),
  name: v.string(),
  course_title: v.string(),
  ending_time: Seconds,
  /** Number of ungraded reports; `submitted` is the number of all submitted reports. */
  waiting: v.number(),
  submitted: v.number(),
});
export type WaitingHomework = v.InferOutput<typeof WaitingHomework>;

export const WaitingExam = v.object({
  id: v.number(),
  name: v.string(),
  waiting: v.number(),
  submitted: v.number(),
});

export const DueHomework = v.object({
  id: v.number(),
  name: v.string(),
  ending_time: Seconds,
  students: v.number(),
  submitted: v.number(),
  /** Names of the first few students who have not submitted. */
  missing: v.array(v.string()),
});

export const RejectedHandout = v.object({
  /** Id of the lesson. */
  id: v.number(),
  class_type: v.number(),
  class_name: v.string(),
  start_time: Seconds,
  file_name: v.string(),
  /** Reason why the handout was rejected. */
  file_remark: v.string(),
});

export const RecentPost = v.object({
  post_id: v.number(),
  group_id: v.number(),
  /** Class in whose circle it was posted; 0 if it was posted elsewhere. */
  class_id: v.number(),
  group_name: v.string(),
  content: v.string(),
  nickname: v.string(),
  created_at: Seconds,
  /** 1: a comment on one of the caller's posts. */
  is_comment: FlagNumber,
});

export const Draft = v.object({
  id: v.number(),
  key: v.string(),
  name: v.string(),
  /** Title of the course; '' if none is chosen. */
  course_title: v.string(),
  /** Number of questions; null if the draft was stored before questions were counted. */
  question_count: v.nullable(v.number()),
  /** Address of the form in which the draft was begun; '' if unknown. */
  address: v.string(),
  saved_at: Seconds,
});
export type Draft = v.InferOutput<typeof Draft>;

/** A face-to-face lesson that has begun and whose roll was not called. */
export const UncalledLesson = v.object({
  /** Id of the period, or of the scheduled lesson. */
  id: v.number(),
  kind: v.picklist(['period', 'session']),
  title: v.string(),
  course_title: v.string(),
  class_id: v.number(),
  class_type: v.number(),
  class_name: v.string(),
  start_time: Seconds,
});

export const Workbench = v.object({
  /** 1: the user has no class and no lesson, so administrators have to assign some. */
  is_unassigned: FlagNumber,
  /** Today's entries of the caller's own calendar. */
  lessons: v.array(CalendarCourse),
  /** Reports to grade; null without the permission to grade. */
  homework: v.nullable(waiting(WaitingHomework)),
  exams: v.nullable(waiting(WaitingExam)),
  leave: v.object({ total: v.number(), list: v.array(LeaveInboxRow) }),
  /** Homework that ends within the next 48 hours. */
  due: v.array(DueHomework),
  handouts: v.array(RejectedHandout),
  /** Face-to-face lessons of the last 30 days whose roll was not called, latest first. */
  rolls: v.object({ total: v.number(), list: v.array(UncalledLesson) }),
  /** Drafts of homework that are not published yet, latest first. */
  drafts: v.object({ total: v.number(), list: v.array(Draft) }),
  /** Posts of the last 48 hours; empty while the community module is off. */
  news: v.array(RecentPost),
});
export type Workbench = v.InferOutput<typeof Workbench>;

export const showWorkbench = call({
  method: 'GET',
  path: 'workbench',
  title: '今日待办',
  description:
    '今天的课、待批改、待审批的请假、待点名的线下课、48 小时内截止的作业、被驳回的讲义、作业草稿与新的帖子。',
  answer: Workbench,
});

/** Numbers of pending work in the navigation; 0 without the permission. */
export const Counts = v.object({ corrections: v.number(), exams: v.number(), leave: v.number() });
export type Counts = v.InferOutput<typeof Counts>;

export const showCounts = call({
  method: 'GET',
  path: 'workbench/counts',
  title: '待办数量',
  answer: Counts,
});
