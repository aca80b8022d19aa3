/** Roll call of a period: records the attendance of a whole class at once. */

import * as v from 'valibot';
import { bodyId, FlagNumber, IdAndName, SearchId, Seconds } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { attendanceMessages, opStatuses } from './rules.ts';

const OpStatusCode = v.picklist(opStatuses, attendanceMessages.status);

export const RollStudent = v.object({
  uid: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  op_status: OpStatusCode,
  /** 0: there is no record, and the state follows from the clock. */
  is_recorded: FlagNumber,
  leave_cause: v.string(),
});
export type RollStudent = v.InferOutput<typeof RollStudent>;

/** The caller's latest roll call that can be undone. */
export const UndoableRoll = v.object({ roll_id: v.number(), count: v.number(), until: Seconds });
export type UndoableRoll = v.InferOutput<typeof UndoableRoll>;

export const PeriodRoll = v.object({
  period_id: v.number(),
  period_title: v.string(),
  course_id: v.number(),
  course_title: v.string(),
  course_type: v.number(),
  start_play: Seconds,
  /** Length of the period in seconds. */
  total_time: v.number(),
  /** Id of the chosen class; `classes` are all the caller's classes that take the course. */
  class_id: v.number(),
  classes: v.array(IdAndName),
  /** Students who were in the class when the period began. */
  students: v.array(RollStudent),
  undoable: v.nullable(UndoableRoll),
});
export type PeriodRoll = v.InferOutput<typeof PeriodRoll>;

export const showPeriodRoll = call({
  method: 'GET',
  path: 'attendance/rollcall/:periodId',
  title: '课时点名',
  description: '不指定班级时为能看到的第一个班级。',
  query: v.object({ class_id: SearchId }),
  answer: PeriodRoll,
});

/**
 * Saves a roll call. `from` is the state that the screen shows. If another state is stored by now, nothing is saved,
 * and the refusal names the students.
 */
export const callPeriodRoll = call({
  method: 'POST',
  path: 'attendance/rollcall/:periodId',
  title: '保存课时点名',
  body: v.object({
    class_id: bodyId(attendanceMessages.class),
    marks: v.array(v.object({ uid: bodyId(attendanceMessages.student), from: OpStatusCode, to: OpStatusCode })),
  }),
  /** The saved roll call; null if others have recorded all the same states already. */
  answer: v.nullable(UndoableRoll),
  message: '点名已保存',
});

export const undoPeriodRoll = call({
  method: 'POST',
  path: 'attendance/rollcall/undo/:rollId',
  title: '撤销课时点名',
  answer: v.null(),
  message: '已撤销，考勤恢复为点名前',
});
