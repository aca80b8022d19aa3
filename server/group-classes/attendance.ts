/** Attendance of group and one-to-one lessons: the grid of a class, and changes by the rules of `attendanceRules`. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { QueryOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import { statement } from '#server/platform/db/statement.ts';
import { isExpected, noteAttendance } from '#server/sessions/roster.ts';
import {
  type AttendanceStatus,
  missingAttendee,
  missingSession,
  presentAttendance,
  sessionStatus,
} from '#server/sessions/rules.ts';
import type { StudentAttendance, setAttendance } from './contract.ts';
import { noClass } from './list.ts';
import {
  allowedAttendance,
  attendanceActionNames,
  attendanceKey,
  attendanceRefused,
  reasonFault,
  rollMessages,
} from './rules.ts';
import { isLessonClassOf, isTeamClassOf } from './visible.ts';

/**
 * Every student with a cell for every session that expects them: those who are in the class, then those who have left,
 * as far as a session expected them. `now` in unix seconds.
 */
export async function attendanceOfClass(
  db: Database,
  actor: Actor,
  { id, now }: { id: number; now: number },
): Promise<StudentAttendance[] | Refusal> {
  if (!(await isTeamClassOf(db, actor, id))) return noClass();
  const [students, earlier, sessions, noted] = await Promise.all([
    studentsOf(db, { id }),
    earlierStaysOf(db, { id }),
    sessionsOf(db, { id }),
    notedOf(db, { id }),
  ]);
  const cells = new Map(noted.map((row) => [`${row.session_id} ${row.student_id}`, row]));
  const columns = sessions.map((session) => ({
    ...session,
    key: attendanceKey({ arrange_time: session.start_time, id: session.id }),
    status: sessionStatus(session, now),
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
        status: session.status,
        attendance: presentAttendance(session.status, cell?.status ?? null),
        remarks: cell?.remark ?? '',
      };
    }
    const valid_status = student.left_at === null ? 1 : 2;
    return { clue_id: student.id, clue_name: student.nickname, valid_status, attendance };
  });
  return rows.filter(({ valid_status, attendance }) => valid_status === 1 || Object.keys(attendance).length > 0);
}

const studentsOf = statement((db, { id }: { id: number }) =>
  db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .select(['student.id', 'student.nickname', 'class_student.joined_at', 'class_student.left_at'])
    .where('class_student.class_id', '=', id)
    .orderBy((eb) => eb.case().when('class_student.left_at', 'is', null).then(0).else(1).end())
    .orderBy('class_student.id'),
);

const earlierStaysOf = statement((db, { id }: { id: number }) =>
  db.selectFrom('class_earlier_stay').selectAll().where('class_id', '=', id),
);

const sessionsOf = statement((db, { id }: { id: number }) =>
  db
    .selectFrom('class_session')
    .select(['id', 'start_time', 'end_time', 'cancelled_at'])
    .where('class_id', '=', id)
    .orderBy('start_time')
    .orderBy('id'),
);

const notedOf = statement((db, { id }: { id: number }) =>
  db
    .selectFrom('session_student')
    .innerJoin('class_session', 'class_session.id', 'session_student.session_id')
    .select(['session_student.session_id', 'session_student.student_id'])
    .select(['session_student.status', 'session_student.remark'])
    .where('class_session.class_id', '=', id),
);

/**
 * Changes one cell. Refused: 404 no group or one-to-one class of the assistant's, no session of it, no student whom it
 * expects; 422 no such action, a reason that is missing or too long; 409 whatever the rules do not allow, with the
 * present state.
 */
export async function changeAttendance(
  db: Database,
  actor: Actor,
  { class_id, times_id, clue_id, type, remark }: QueryOf<typeof setAttendance>,
  now: number,
): Promise<null | Refusal> {
  if (class_id === undefined || !(await isLessonClassOf(db, actor, class_id))) return noClass();
  const session = await locked(db)(
    db
      .selectFrom('class_session')
      .select(['id', 'start_time', 'end_time', 'cancelled_at'])
      .where('id', '=', times_id ?? 0)
      .where('class_id', '=', class_id),
  ).executeTakeFirst();
  if (!session) return missing(missingSession);
  if (clue_id === undefined || !(await isExpected(db, session.id, clue_id))) return missing(missingAttendee);
  if (type === undefined) return invalid({ type: [rollMessages.action] });

  const cell = await locked(db)(
    db
      .selectFrom('session_student')
      .select(['id', 'status', 'remark'])
      .where('session_id', '=', session.id)
      .where('student_id', '=', clue_id),
  ).executeTakeFirst();
  const status = sessionStatus(session, now);
  const recorded: AttendanceStatus = cell?.status ?? null;
  const from = presentAttendance(status, recorded);
  const rule = allowedAttendance(status, from).find(({ action }) => action === type);
  if (!rule) {
    return conflict(attendanceRefused(status, from, attendanceActionNames[type]), { status, attendance: from });
  }
  const reason = remark.replace(/\s+/g, ' ').trim();
  const unfit = refuseField('remark', reasonFault(rule, reason));
  if (unfit) return unfit;
  const before = { status: recorded, remark: cell?.remark ?? '' };
  await noteChange(db, actor, { sessionId: session.id, studentId: clue_id, to: rule.to, reason, before, now });
  return null;
}

interface Change {
  sessionId: number;
  studentId: number;
  to: AttendanceStatus;
  reason: string;
  before: { status: AttendanceStatus; remark: string };
  now: number;
}

/** Writes what the rules allow, with its history; answers the id of the record. */
export async function noteChange(
  db: Database,
  actor: Actor,
  { sessionId, studentId, to, reason, before, now }: Change,
): Promise<number> {
  const noted = { status: to, remark: reason, set_by: actor.id, set_at: now };
  const recordId = await noteAttendance(db, { sessionId, studentId }, { ...noted, attend_type: to === 1 ? 2 : 0 });
  const change = { record: 'session_student', recordId, action: 'attendance', before };
  await recordHistory(db, { actor, now, ...change, after: { status: to, remark: reason } });
  return recordId;
}
