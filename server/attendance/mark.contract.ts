/** Records the attendance of one student in one period: leave, and attendance of face-to-face courses. */

import * as v from 'valibot';
import { SearchFlag, TypedText, WrittenId } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { attendanceMessages, leaveCauseLimit } from './rules.ts';
import { oneOf } from './status.contract.ts';

const requiredId = (message: string) => v.message(WrittenId, message);

const cellFields = {
  uid: requiredId(attendanceMessages.student),
  class_id: requiredId(attendanceMessages.class),
  course_id: requiredId(attendanceMessages.course),
  course_periods_id: requiredId(attendanceMessages.period),
};

export const AttendanceCell = v.object(cellFields);
export type AttendanceCell = v.InferOutput<typeof AttendanceCell>;

export const leaveCause = v.pipe(
  v.optional(TypedText, ''),
  v.trim(),
  v.check((cause) => [...cause].length <= leaveCauseLimit, attendanceMessages.causeLength),
);

export const requestLeave = call({
  method: 'POST',
  path: 'leave',
  title: '为学员请假',
  body: v.object({
    ...cellFields,
    leave_cause: leaveCause,
    /** 1: the leave is approved at once. */
    approve: SearchFlag,
  }),
  answer: v.null(),
  message: '请假成功',
});

export const cancelLeave = call({
  method: 'POST',
  path: 'leave/cancel',
  title: '取消请假',
  body: AttendanceCell,
  answer: v.null(),
  message: '操作成功',
});

/** Records attendance in a face-to-face course: 0 attended, 5 absent. */
export const markAttendance = call({
  method: 'POST',
  path: 'attendance',
  title: '确认或取消出勤',
  body: v.object({
    ...cellFields,
    op_status: oneOf([0, 5], attendanceMessages.mark),
  }),
  answer: v.null(),
  message: '操作成功',
});
