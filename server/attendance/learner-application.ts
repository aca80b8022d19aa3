/**
 * Calls of learners about attendance: reports how long they watched a period or a scheduled lesson (`POST
 * /api/app/study`), and requests leave (`POST /api/app/leave`).
 */

import * as v from 'valibot';
import { missingPeriod } from '#server/classes/rules.ts';
import { BodyUid, handleApplication, shortBodyBytes, withLearner } from '#server/learners/application.ts';
import { type BodyOf, call } from '#server/platform/calls/call.ts';
import { bodyId } from '#server/platform/calls/fields.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import { recordLiveViewing } from '#server/sessions/entry.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { otherClasses } from './learner-leave.ts';
import { AttendanceCell, leaveCause } from './mark.contract.ts';
import { applyAttendanceAction } from './mark.ts';
import { attendanceMessages, countLiveSeconds, missingLeave } from './rules.ts';
import { recordPresence, recordStudy } from './study.ts';

/** Maximum seconds that can be watched of a period: a month. */
const maxSeconds = 31 * 24 * 60 * 60;

const Watched = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxSeconds)), 0);

const watch = call({
  method: 'POST',
  path: '/api/app/study',
  title: '学员的观看时长',
  description:
    '累计秒数，不是增量；重复或较早的数据没有影响。直播秒数只在直播间开放至课时结束后十分钟内上报有效，最多计到当前时刻；回放不计出勤。course_periods_id 为课时；times_id 为团课或一对一课次，看过直播即记为出勤。',
  bodyLimit: shortBodyBytes,
  body: v.object({
    uid: BodyUid,
    course_periods_id: v.optional(bodyId(missingPeriod)),
    times_id: v.optional(bodyId(missingSession)),
    live_seconds: Watched,
    replay_seconds: Watched,
  }),
  answer: v.null(),
  message: '保存成功',
  example: { body: { uid: 12, course_periods_id: 40, live_seconds: 1800, replay_seconds: 0 } },
});

const askForLeave = call({
  method: 'POST',
  path: '/api/app/leave',
  title: '学员请假',
  description:
    '待审批时以同样的原因重复提交只算一次；原来没有填写原因的，可以补上原因。id 为请假的 id。能否请假见课表的 may_ask_leave。',
  bodyLimit: shortBodyBytes,
  body: v.object({ ...AttendanceCell.entries, uid: BodyUid, leave_cause: leaveCause }),
  answer: v.object({ id: v.number() }),
  message: attendanceMessages.requested,
  example: {
    body: { uid: 12, class_id: 3, course_id: 8, course_periods_id: 40, leave_cause: '生病' },
    answer: { id: 90 },
  },
});

export const learnerAttendanceCalls = [
  handleApplication(watch, ({ body, ...context }) =>
    withLearner(context, body.uid, ({ db, uid, now }) => keepStudy(db, { ...body, uid }, now)),
  ),
  handleApplication(askForLeave, ({ body: { leave_cause: leaveCause, ...cell }, ...context }) =>
    withLearner(context, cell.uid, ({ db, uid, now }) => requestLeave(db, { ...cell, uid }, { now, leaveCause })),
  ),
];

/**
 * Requests leave. Idempotent: a repeated request gets the first answer. A missing cause can be added while the request
 * is pending.
 */
async function requestLeave(
  db: Database,
  cell: v.InferOutput<typeof AttendanceCell>,
  { now, leaveCause }: { now: number; leaveCause: string },
): Promise<{ id: number } | Refusal> {
  const refusal = await applyAttendanceAction(db, null, cell, { action: 'request', now, leaveCause });
  if (!refusal) await requestElsewhere(db, cell, { now, leaveCause });
  if (refusal !== null && refusal.kind !== 'conflict') return refusal;
  const requested = await ownRequest(db, cell);
  if (!requested) return refusal ?? missing(missingLeave);
  if (!refusal || requested.leave_cause === leaveCause) return { id: requested.id };
  if (requested.leave_cause !== '') return refusal;
  const classes = await otherClasses(db, { uid: cell.uid, courseId: cell.course_id, classId: cell.class_id });
  for (const class_id of [cell.class_id, ...classes]) await addCause(db, { ...cell, class_id }, { now, leaveCause });
  return { id: requested.id };
}

/** Adds the cause to the student's pending leave request, if the request has none. */
async function addCause(
  db: Database,
  cell: v.InferOutput<typeof AttendanceCell>,
  { now, leaveCause }: { now: number; leaveCause: string },
): Promise<void> {
  const requested = await ownRequest(db, cell);
  if (requested?.leave_cause !== '') return;
  await db
    .updateTable('attendance')
    .set((eb) => ({ leave_cause: leaveCause, version: eb('version', '+', 1), changed_at: nextChangedAt(now) }))
    .where('id', '=', requested.id)
    .execute();
  await recordHistory(db, {
    actor: null,
    now,
    record: 'attendance',
    recordId: requested.id,
    action: 'request',
    before: { op_status: 1, leave_cause: '' },
    after: { op_status: 1, leave_cause: leaveCause },
  });
}

/** Finds the pending leave request that the student made. */
const ownRequest = (db: Database, cell: v.InferOutput<typeof AttendanceCell>) =>
  db
    .selectFrom('attendance')
    .innerJoin('period', 'period.id', 'attendance.period_id')
    .select(['attendance.id', 'attendance.leave_cause'])
    .where('attendance.class_id', '=', cell.class_id)
    .where('attendance.student_id', '=', cell.uid)
    .where('attendance.period_id', '=', cell.course_periods_id)
    .where('period.course_id', '=', cell.course_id)
    .where('attendance.op_status', '=', 1)
    .where('attendance.requested_by', 'is', null)
    .executeTakeFirst();

/**
 * Requests the same leave in the student's other classes with this course, because the lesson is held once for all of
 * them. A class that has already recorded something else keeps its record.
 */
async function requestElsewhere(
  db: Database,
  cell: v.InferOutput<typeof AttendanceCell>,
  request: { now: number; leaveCause: string },
): Promise<void> {
  const others = await otherClasses(db, { uid: cell.uid, courseId: cell.course_id, classId: cell.class_id });
  for (const class_id of others)
    await applyAttendanceAction(db, null, { ...cell, class_id }, { action: 'request', ...request });
}

/**
 * Records what a student watched. The student must be expected in the lesson, or be or have been in a class with the
 * period's course.
 */
async function keepStudy(
  db: Database,
  sent: BodyOf<typeof watch> & { uid: number },
  now: number,
): Promise<null | Refusal> {
  const { uid, course_periods_id: periodId, times_id: sessionId } = sent;
  if (sessionId !== undefined) {
    return recordLiveViewing(db, { studentId: uid, sessionId, now }, { liveSeconds: sent.live_seconds });
  }
  if (periodId === undefined) return invalid({ course_periods_id: [missingPeriod] });
  const taken = await db
    .selectFrom('period')
    .innerJoin('class_course', 'class_course.course_id', 'period.course_id')
    .innerJoin('class_student', 'class_student.class_id', 'class_course.class_id')
    .select(['period.start_play', 'period.total_time', 'period.advance_time'])
    .where('period.id', '=', periodId)
    .where('class_student.student_id', '=', uid)
    .executeTakeFirst();
  if (!taken) return missing(missingPeriod);
  const open = { opens: taken.start_play - taken.advance_time * 60, end: taken.start_play + taken.total_time };
  const liveSeconds = countLiveSeconds(sent.live_seconds, open, now);
  await recordStudy(db, { studentId: uid, periodId, liveSeconds, replaySeconds: sent.replay_seconds });
  if (liveSeconds > 0) await recordPresence(db, { uid, periodId, now });
  return null;
}
