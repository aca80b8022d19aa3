/** Records the attendance of one student in one period: leave, and attendance of face-to-face courses. */

import * as v from 'valibot';
import { classTypes, missingPeriod } from '#server/classes/rules.ts';
import { classNotFound, visibleClasses } from '#server/classes/visible.ts';
import { aboutEach, emitLearnerEvent } from '#server/learners/events.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { attendanceCells, factsOf } from './facts.ts';
import type { AttendanceCell } from './mark.contract.ts';
import { storeRoll } from './roll-batch.ts';
import {
  askForLeaveFault,
  attendanceActionFault,
  attendanceMessages,
  currentAttendance,
  type LeaveAction,
  type MarkedLesson,
  missingMember,
  notExpectedFault,
  type OpStatus,
  opStatuses,
  transitions,
} from './rules.ts';

/** Actions that the student is notified of. */
const decisions: readonly LeaveAction[] = ['approve', 'reject', 'cancelLeave'];

interface MarkOptions {
  action: LeaveAction;
  now: number;
  leaveCause?: string;
  /** True: a leave `request` is approved at once. */
  approve?: boolean;
}

/**
 * Applies an action to a student's attendance. Without an actor the student requests leave. 409: the current state does
 * not allow the action.
 */
export async function applyAttendanceAction(
  db: Database,
  actor: Actor | null,
  cell: AttendanceCell,
  { action, now, leaveCause = '', approve = false }: MarkOptions,
): Promise<null | Refusal> {
  const found = await findCell(db, actor, cell, now);
  if (isRefusal(found)) return found;
  const status = currentAttendance(factsOf(found));
  const fault = actor
    ? attendanceActionFault(action, status, lessonOf(found))
    : askForLeaveFault(status, lessonOf(found));
  if (fault) return conflict(fault, { op_status: status });
  const refusal = refuseFor('conflict', notExpectedFault(found));
  if (refusal) return actor ? refusal : conflict(attendanceMessages.notExpected);
  const recordId = await writeAttendance(db, actor, cell, { action, status, now, leaveCause, approve });
  // The change is stored as a roll call of one student, so that it can be undone.
  if (actor) {
    const place = { class_id: cell.class_id, period_id: cell.course_periods_id, session_id: null };
    await storeRoll(db, actor, { place, marks: [storedMark(recordId, found)], now });
  }
  return null;
}

/** Extracts the facts that `stateAfter` needs. */
export const lessonOf = (cell: { course_type: number; begun: number }): MarkedLesson => ({
  courseType: cell.course_type,
  begun: cell.begun === 1,
});

/** State of a record before it is changed; `op_status` is -1 if there was no record. */
export const MarkBefore = v.object({
  op_status: v.picklist(opStatuses),
  leave_cause: v.string(),
  requested_at: v.nullable(v.number()),
  requested_by: v.nullable(v.number()),
  decided_at: v.nullable(v.number()),
  decided_by: v.nullable(v.number()),
});
export const MarkAfter = v.object({ version: v.number() });

/** Returns the undo data of a mark, as a roll call stores it: the earlier state of the record and its new version. */
export function storedMark(recordId: number, cell: MarkedCell) {
  const before: v.InferOutput<typeof MarkBefore> = {
    op_status: v.parse(MarkBefore.entries.op_status, cell.op_status),
    leave_cause: cell.leave_cause ?? '',
    requested_at: cell.requested_at,
    requested_by: cell.requested_by,
    decided_at: cell.decided_at,
    decided_by: cell.decided_by,
  };
  return { recordId, before, after: { version: cell.version === null ? 0 : cell.version + 1 } };
}

/** A record before it is changed; its fields are null if there is no record. */
interface MarkedCell {
  op_status: number;
  leave_cause: string | null;
  requested_at: number | null;
  requested_by: number | null;
  decided_at: number | null;
  decided_by: number | null;
  version: number | null;
}

/** Columns that are needed to undo a change. */
export const storedColumns = [
  'attendance.version',
  'attendance.requested_by',
  'attendance.decided_at',
  'attendance.decided_by',
] as const;

/**
 * Writes an attendance action that the caller has checked (roll call, leave request, decision), and its history.
 * Returns the id of the attendance record.
 */
export async function writeAttendance(
  db: Database,
  actor: Actor | null,
  cell: Omit<AttendanceCell, 'course_id'>,
  { action, status, now, leaveCause = '', approve = false }: MarkOptions & { status: OpStatus },
): Promise<number> {
  const next = transitions[approve ? 'approve' : action].to;

  const request =
    action === 'request'
      ? {
          requested_at: now,
          requested_by: actor?.id ?? null,
          leave_cause: leaveCause,
          decided_at: approve ? now : null,
          decided_by: approve ? (actor?.id ?? null) : null,
        }
      : action === 'cancelLeave'
        ? { decided_at: now, decided_by: actor?.id ?? null }
        : {};
  const after = { op_status: next, changed_at: now, ...request };
  const { id } = await db
    .insertInto('attendance')
    .values({
      class_id: cell.class_id,
      student_id: cell.uid,
      period_id: cell.course_periods_id,
      requested_at: null,
      requested_by: null,
      decided_at: null,
      decided_by: null,
      ...after,
    })
    .onConflict((existing) =>
      existing
        .columns(['class_id', 'student_id', 'period_id'])
        .doUpdateSet((eb) => ({ ...after, version: eb('attendance.version', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(db, {
    actor,
    now,
    record: 'attendance',
    recordId: id,
    action,
    before: { op_status: status },
    after: { op_status: next },
  });
  if (actor && (approve || decisions.includes(action))) {
    const about = aboutEach([cell.uid], id);
    await emitLearnerEvent(db, { kind: 'leave.decided', about, details: { op_status: next } }, now);
  }
  return id;
}

/**
 * Finds and locks the attendance of a student in a period, in a class that the actor sees, expired or not; without an
 * actor in any class. Locks the membership before the record, so that concurrent changes for one student run one after
 * the other.
 */
async function findCell(db: Database, actor: Actor | null, cell: AttendanceCell, now: number) {
  const classes = actor
    ? visibleClasses(db, actor)
    : db.selectFrom('class').where('class.class_type', '=', classTypes.stateSchool);
  const theClass = await classes.select('class.id').where('class.id', '=', cell.class_id).executeTakeFirst();
  if (!theClass) return classNotFound();
  const member = await forUpdate(db)(
    db
      .selectFrom('class_student')
      .select('id')
      .where('class_id', '=', cell.class_id)
      .where('student_id', '=', cell.uid),
  ).executeTakeFirst();
  if (!member) return missing(actor ? missingMember : attendanceMessages.notMember);
  await forUpdate(db)(
    db
      .selectFrom('attendance')
      .select('id')
      .where('class_id', '=', cell.class_id)
      .where('student_id', '=', cell.uid)
      .where('period_id', '=', cell.course_periods_id),
  ).execute();
  const scope = {
    classId: cell.class_id,
    memberIds: [member.id],
    courseId: cell.course_id,
    periodIds: [cell.course_periods_id],
  };
  const found = await attendanceCells(db, scope, now).select(storedColumns).executeTakeFirst();
  if (!found) return missing(missingPeriod);
  return found;
}
