/** Attendance of group and one-to-one lessons: the grid of a class, and changes by the rules of `attendanceRules`. */
import * as v from 'valibot';
import { type RollPlace, storeRoll } from '#server/attendance/roll-batch.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { QueryOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { isExpected, isRollCalled, rollColumns, rollState, saveLessonAttendance } from '#server/sessions/roster.ts';
import {
  type AttendanceStatus,
  attendanceStatuses,
  missingAttendee,
  missingSession,
  presentAttendance,
} from '#server/sessions/rules.ts';
import type { StudentAttendance, setAttendance } from './contract.ts';
import { teamClassNotFound } from './list.ts';
import {
  allowedAttendance,
  attendanceActionName,
  attendanceKey,
  attendanceRefusalMessage,
  reasonFault,
  rollMessages,
} from './rules.ts';
import { isLessonClassOf, isTeamClassOf } from './visible.ts';

/**
 * Returns the grid. Rows: current students, then former ones whom some lesson expected. There is a cell for each lesson
 * that expects the student. `now`: unix seconds.
 */
export async function attendanceOfClass(
  db: Database,
  actor: Actor,
  { id, now }: { id: number; now: number },
): Promise<StudentAttendance[] | Refusal> {
  if (!(await isTeamClassOf(db, actor, id))) return teamClassNotFound();
  const [students, earlier, sessions, noted] = await Promise.all([
    studentsOf(db, { id }),
    earlierStaysOf(db, { id }),
    sessionsOf(db, { id }),
    recordedAttendance(db, { id }),
  ]);
  const cells = new Map(noted.map((row) => [`${row.session_id} ${row.student_id}`, row]));
  const columns = sessions.map((session) => ({
    ...session,
    key: attendanceKey({ arrange_time: session.start_time, id: session.id }),
    roll: rollState(session, now),
  }));
  const rows = students.map((student): StudentAttendance => {
    const attendance: StudentAttendance['attendance'] = {};
    const stays = [student, ...earlier.filter(({ student_id }) => student_id === student.id)];
    for (const session of columns) {
      const wasIn = stays.some(
        ({ joined_at, left_at }) => joined_at < session.end_time && (left_at === null || left_at > session.start_time),
      );
      if (!wasIn) continue;
      const cell = cells.get(`${session.id} ${student.id}`);
      attendance[session.key] = {
        status: session.roll.status,
        attendance: presentAttendance(session.roll, cell?.status ?? null),
        remarks: cell?.remark ?? '',
      };
    }
    const valid_status = student.left_at === null ? 1 : 2;
    return { clue_id: student.id, clue_name: student.nickname, valid_status, attendance };
  });
  return rows.filter(({ valid_status, attendance }) => valid_status === 1 || Object.keys(attendance).length > 0);
}

const studentsOf = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['student.id', 'student.nickname', 'class_student.joined_at', 'class_student.left_at'])
    .where('class_student.class_id', '=', id)
    .orderBy((eb) => eb.case().when('class_student.left_at', 'is', null).then(0).else(1).end())
    .orderBy('class_student.id')
    .execute();

const earlierStaysOf = (db: Database, { id }: { id: number }) =>
  db.selectFrom('class_earlier_stay').selectAll().where('class_id', '=', id).execute();

const sessionsOf = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom('class_session')
    .select(['id', ...rollColumns, isRollCalled.as('called')])
    .where('class_id', '=', id)
    .orderBy('start_time')
    .orderBy('id')
    .execute();

const recordedAttendance = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom('session_student')
    .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
    .select(['session_student.session_id', 'session_student.student_id'])
    .select(['session_student.status', 'session_student.remark'])
    .where('class_session.class_id', '=', id)
    .execute();

/**
 * Changes one cell of the grid. 422: class, lesson or student missing, unknown action, or a reason missing or too long.
 * 404: no such class, lesson or student. 409: the rules do not allow the change; the message names the present state.
 */
export async function changeAttendance(
  db: Database,
  actor: Actor,
  { class_id, times_id, clue_id, type, remark }: QueryOf<typeof setAttendance>,
  now: number,
): Promise<null | Refusal> {
  const unsaid = {
    ...(class_id === undefined && { class_id: [rollMessages.class] }),
    ...(times_id === undefined && { times_id: [rollMessages.session] }),
    ...(clue_id === undefined && { clue_id: [rollMessages.student] }),
  };
  if (class_id === undefined || times_id === undefined || clue_id === undefined) return invalid(unsaid);
  if (!(await isLessonClassOf(db, actor, class_id))) return teamClassNotFound();
  const session = await forUpdate(db)(
    db
      .selectFrom('class_session')
      .select(['id', 'class_id', ...rollColumns, isRollCalled.as('called')])
      .where('id', '=', times_id)
      .where('class_id', '=', class_id),
  ).executeTakeFirst();
  if (!session) return missing(missingSession);
  if (!(await isExpected(db, session.id, clue_id))) return missing(missingAttendee);
  if (type === undefined) return invalid({ type: [rollMessages.action] });

  const cell = await forUpdate(db)(
    db
      .selectFrom('session_student')
      .select(cellColumns)
      .where('session_id', '=', session.id)
      .where('student_id', '=', clue_id),
  ).executeTakeFirst();
  const lesson = rollState(session, now);
  const from = presentAttendance(lesson, cell?.status ?? null);
  const rule = allowedAttendance(lesson, from).find(({ action }) => action === type);
  if (!rule) {
    const refused = attendanceRefusalMessage(lesson, from, attendanceActionName(type, from, lesson));
    return conflict(refused, { status: lesson.status, attendance: from });
  }
  const reason = remark.replace(/\s+/g, ' ').trim();
  const unfit = refuseField('remark', reasonFault(rule, reason));
  if (unfit) return unfit;
  const mark = await saveAttendance(db, actor, {
    sessionId: session.id,
    studentId: clue_id,
    to: rule.to,
    reason,
    cell: cell ?? noCell,
    now,
  });
  // Stored as a roll call of one student, so that it can be undone like one.
  await storeRoll(db, actor, { place: rollPlaceOf(session), marks: [mark], now });
  return null;
}

export const rollPlaceOf = ({ id, class_id }: { id: number; class_id: number }): RollPlace => ({
  class_id,
  period_id: null,
  session_id: id,
});

const cellColumns = ['id', 'status', 'remark', 'attend_type', 'set_by', 'set_at'] as const;

interface Change {
  sessionId: number;
  studentId: number;
  to: AttendanceStatus;
  reason: string;
  /** The student's attendance before the change. */
  cell: Cell;
  now: number;
}

interface Cell {
  status: AttendanceStatus;
  remark: string | null;
  attend_type: 0 | 1 | 2 | null;
  set_by: number | null;
  set_at: number | null;
}
const noCell: Cell = { status: null, remark: '', attend_type: 0, set_by: null, set_at: null };

/** Stores a change that the rules allow, and its history row; returns the mark for a roll call. */
export async function saveAttendance(
  db: Database,
  actor: Actor,
  { sessionId, studentId, to, reason, cell, now }: Change,
): Promise<KeptMark> {
  const after = { status: to, remark: reason, set_by: actor.id, set_at: now };
  const recordId = await saveLessonAttendance(
    db,
    { sessionId, studentId },
    { ...after, attend_type: to === 1 ? 2 : 0 },
  );
  const { status, set_by, set_at } = cell;
  const before: MarkBefore = { status, remark: cell.remark ?? '', attend_type: cell.attend_type ?? 0, set_by, set_at };
  await recordHistory(db, {
    actor,
    now,
    record: 'session_student',
    recordId,
    action: 'attendance',
    before: { status, remark: before.remark },
    after: { status: to, remark: reason },
  });
  return { recordId, before, after };
}

/** The student's attendance right after a roll call. If it differs later, somebody else has changed it. */
export const MarkAfter = v.object({
  status: v.nullable(v.picklist(attendanceStatuses)),
  remark: v.string(),
  set_by: v.nullable(v.number()),
  set_at: v.nullable(v.number()),
});
export const MarkBefore = v.object({ ...MarkAfter.entries, attend_type: v.picklist([0, 1, 2]) });
type MarkBefore = v.InferOutput<typeof MarkBefore>;

interface KeptMark {
  recordId: number;
  before: MarkBefore;
  after: v.InferOutput<typeof MarkAfter>;
}
