/** Leave requests: lists of one class and of all classes, decisions and their undo. */

import * as v from 'valibot';
import {
  IdList,
  page,
  paging,
  SearchDay,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { attendanceMessages, type OpStatus } from './rules.ts';
import { LessonStatus, OpStatusCode, oneOf } from './status.contract.ts';

/** States by which a class's list can be filtered. A request has another state if attendance was recorded later. */
export const leaveStatuses = [1, 2, 3, 4] as const satisfies OpStatus[];

/**
 * Filters of the leave requests of a class. Pending requests come first, unless the list is sorted by state. `nickname`
 * also finds mobile numbers.
 */
export const LeaveFilter = v.object({
  nickname: SearchText,
  op_status: searchOneOf(leaveStatuses),
  sort_field: searchWord(['op_status']),
  sort: SortDirection,
  ...paging(),
});
export type LeaveFilter = v.InferOutput<typeof LeaveFilter>;

export const LeaveRow = v.object({
  id: v.number(),
  uid: v.number(),
  name: v.string(),
  mobile: v.string(),
  leave_cause: v.string(),
  /** State: 1 pending, 2 approved, 3 rejected, 4 cancelled. Any other state is attendance that was recorded later. */
  op_status: OpStatusCode,
  course_basis_title: v.string(),
  course_periods_title: v.string(),
  course_periods_status: LessonStatus,
  /** Start of the period, unix seconds. */
  start_play: Seconds,
  requested_at: Seconds,
  /** Name of the decider, and time of the decision; '' and 0 while pending. */
  decided_by: v.string(),
  decided_at: Seconds,
});
export type LeaveRow = v.InferOutput<typeof LeaveRow>;

export const listLeave = call({
  method: 'GET',
  path: 'leave/getLeaveList/:classId',
  title: '请假列表',
  /** `ids`: limits the list to these requests. */
  query: v.object({ ...LeaveFilter.entries, ids: SearchIds }),
  answer: page(LeaveRow),
});

/**
 * Filters of the leave requests of all classes. `start` and `end`: first and last day of the lessons. `title`: text to
 * find in titles of courses and lessons.
 */
export const LeaveInboxFilter = v.object({
  /** 1: lists only pending requests. */
  waiting: SearchFlag,
  class_id: SearchId,
  nickname: SearchText,
  title: SearchText,
  start: SearchDay,
  end: SearchDay,
  /** Limits the list to these requests. */
  ids: SearchIds,
  ...paging(),
});
export type LeaveInboxFilter = v.InferOutput<typeof LeaveInboxFilter>;

export const LeaveInboxRow = v.object({ ...LeaveRow.entries, class_id: v.number(), class_name: v.string() });
export type LeaveInboxRow = v.InferOutput<typeof LeaveInboxRow>;

/** Lists requests of all visible classes: pending ones first, by start of the lesson. */
export const listLeaveInbox = call({
  method: 'GET',
  path: 'leave/inbox',
  title: '全部班级的请假',
  query: LeaveInboxFilter,
  answer: page(LeaveInboxRow),
});

/** Number of pending requests, and a version (`mark`) that changes with every attendance record of the class. */
export const LeavePulse = v.object({ pending: v.number(), mark: v.string() });
export type LeavePulse = v.InferOutput<typeof LeavePulse>;

export const leavePulse = call({
  method: 'GET',
  path: 'leave/pending/:classId',
  title: '待审批的请假数',
  answer: LeavePulse,
});

export const decideLeave = call({
  method: 'PUT',
  path: 'leave/setOpStatus/:ids?',
  title: '审批请假',
  params: { ids: IdList },
  body: v.object({
    op_status: oneOf([2, 3], attendanceMessages.decision),
  }),
  /** `batch_id`: id by which the caller can undo the decision for `undoLimit` seconds. */
  answer: v.object({ batch_id: v.number() }),
  message: '操作成功',
});

/** A leave decision by the caller that can still be undone. */
export const LeaveBatch = v.object({
  batch_id: v.number(),
  op_status: v.picklist([2, 3]),
  count: v.number(),
  /** Name of one of the students. */
  name: v.string(),
  until: Seconds,
});
export type LeaveBatch = v.InferOutput<typeof LeaveBatch>;

export const undoableLeave = call({
  method: 'GET',
  path: 'leave/undoable/:classId',
  title: '可撤销的审批',
  answer: v.array(LeaveBatch),
});

/** Lists the caller's decisions in all classes that can still be undone. */
export const undoableInbox = call({
  method: 'GET',
  path: 'leave/inbox/undoable',
  title: '全部班级可撤销的审批',
  answer: v.array(LeaveBatch),
});

export const undoLeaveBatch = call({
  method: 'POST',
  path: 'leave/undo/:batchId',
  title: '撤销审批',
  answer: v.null(),
  message: '已撤销，请假申请恢复为待审批',
});
