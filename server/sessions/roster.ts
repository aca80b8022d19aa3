/**
 * Roster of a lesson: the expected students. All code that counts, lists or notifies the students of a lesson uses it.
 */
import { type SqlBool, sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import {
  type AttendanceStatus,
  inPerson,
  isMissingRollCall,
  markedAttendance,
  presentAttendance,
  type RollState,
  sessionStatus,
} from './rules.ts';

/**
 * Selects the expected students, as rows of class_session, class_student and student. Expected are members of the class
 * who joined before the lesson ended and had not left when it began, in their latest or an earlier enrolment.
 */
export function expectedStudents(db: Database) {
  return db
    .selectFrom('class_session')
    .innerJoin('class_student', 'class_student.class_id', 'class_session.class_id')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where(wasMember);
}

const wasMember = sql<SqlBool>`(
  (class_student.joined_at < class_session.end_time
    and (class_student.left_at is null or class_student.left_at > class_session.start_time))
  or exists (
    select 1 from class_earlier_stay as stay
    where stay.class_id = class_student.class_id and stay.student_id = class_student.student_id
      and stay.joined_at < class_session.end_time and stay.left_at > class_session.start_time
  )
)`;

/**
 * SQL: 1 if some student of an in-person lesson is recorded as present or absent. In a live lesson the clock decides
 * instead.
 */
export const isRollCalled = sql<number>`case
  when class_session.teaching_mode = ${sql.lit(inPerson)} and exists (
    select 1 from session_student as marked
    where marked.session_id = class_session.id and marked.status in (${sql.join(markedAttendance.map(sql.lit))})
  ) then 1 else 0 end`;

/** Columns that `rollState` needs. */
export const rollColumns = [
  'class_session.start_time',
  'class_session.end_time',
  'class_session.cancelled_at',
  'class_session.teaching_mode',
] as const;

/** Returns the facts of a lesson that decide its students' attendance at `now` (unix seconds). */
export const rollState = (
  session: { start_time: number; end_time: number; cancelled_at: number | null; teaching_mode: 1 | 2; called: number },
  now: number,
): RollState => ({
  status: sessionStatus(session, now),
  teaching_mode: session.teaching_mode,
  called: session.called,
});

export async function isExpected(db: Database, sessionId: number, studentId: number): Promise<boolean> {
  const found = await expectedStudents(db)
    .select('student.id')
    .where('class_session.id', '=', sessionId)
    .where('student.id', '=', studentId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Creates the missing rows of expected students, so that lecturers can evaluate them. */
export async function createRosterRows(db: Database, sessionId: number): Promise<void> {
  const missing = await withoutRow(db, { sessionId });
  if (missing.length === 0) return;
  for (let from = 0; from < missing.length; from += 500) {
    await db
      .insertInto('session_student')
      .values(
        missing
          .slice(from, from + 500)
          .map((row) => ({ ...row, set_by: null, set_at: null, teacher_remark_by: null, teacher_remark_at: null })),
      )
      .onConflict((conflict) => conflict.columns(['session_id', 'student_id']).doNothing())
      .execute();
  }
}

const withoutRow = (db: Database, { sessionId }: { sessionId: number }) =>
  expectedStudents(db)
    .select(['class_session.id as session_id', 'student.id as student_id', sql<null>`null`.as('status')])
    .where('class_session.id', '=', sessionId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('session_student')
            .select('session_student.id')
            .whereRef('session_student.session_id', '=', 'class_session.id')
            .whereRef('session_student.student_id', '=', 'student.id'),
        ),
      ),
    )
    .execute();

interface NotedAttendance {
  status: AttendanceStatus;
  attend_type: 0 | 1 | 2;
  remark: string;
  /** Member of staff who recorded it; null if the learners' application did. */
  set_by: number | null;
  /** When it was recorded; null counts as not recorded. */
  set_at: number | null;
}

/** Sets a student's attendance, overwriting an earlier record. Returns the id of the student's row in the lesson. */
export async function saveLessonAttendance(
  db: Database,
  { sessionId, studentId }: { sessionId: number; studentId: number },
  noted: NotedAttendance,
): Promise<number> {
  const { id } = await db
    .insertInto('session_student')
    .values({
      session_id: sessionId,
      student_id: studentId,
      teacher_remark_by: null,
      teacher_remark_at: null,
      ...noted,
    })
    .onConflict((conflicting) => conflicting.columns(['session_id', 'student_id']).doUpdateSet(noted))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores a student's feedback on a lesson; attendance stays unchanged. */
export async function saveStudentRemark(
  db: Database,
  { sessionId, studentId }: { sessionId: number; studentId: number },
  student_remark: string,
): Promise<void> {
  await db
    .insertInto('session_student')
    .values({
      session_id: sessionId,
      student_id: studentId,
      status: null,
      set_by: null,
      set_at: null,
      teacher_remark_by: null,
      teacher_remark_at: null,
      student_remark,
    })
    .onConflict((known) => known.columns(['session_id', 'student_id']).doUpdateSet({ student_remark }))
    .execute();
}

interface RosterCounts {
  should_arrive: number;
  arrived: number;
  leave: number;
  truants: number;
  /** Number of students without a record, in an in-person lesson whose roll was not called yet. */
  uncalled: number;
}
export const emptyRosterCounts: RosterCounts = { should_arrive: 0, arrived: 0, leave: 0, truants: 0, uncalled: 0 };

const countOf = { 1: 'arrived', 2: 'leave', 3: 'truants' } as const;

/**
 * Returns the attendance counts at `now` (unix seconds): of all lessons of a class, or of one lesson. Lessons without
 * students are left out.
 */
export async function rosterCounts(
  db: Database,
  of: { classId: number } | { sessionId: number },
  now: number,
): Promise<Map<number, RosterCounts>> {
  const groups =
    'sessionId' in of
      ? await groupsOf(db, { id: of.sessionId }, 'session')
      : await groupsOf(db, { id: of.classId }, 'class');
  const counts = new Map<number, RosterCounts>();
  for (const { id, status, students, ...session } of groups) {
    const counted = counts.get(id) ?? { ...emptyRosterCounts };
    counted.should_arrive += students;
    const roll = rollState(session, now);
    const standing = presentAttendance(roll, status);
    if (standing !== null) counted[countOf[standing]] += students;
    else if (isMissingRollCall(roll)) counted.uncalled += students;
    counts.set(id, counted);
  }
  return counts;
}

/** Counts students by lesson and recorded attendance. */
const groupsOf = (db: Database, { id }: { id: number }, of: 'session' | 'class') =>
  expectedStudents(db)
    .leftJoin('session_student', (join) =>
      join
        .onRef('session_student.session_id', '=', 'class_session.id')
        .onRef('session_student.student_id', '=', 'student.id'),
    )
    .select(['class_session.id', ...rollColumns, isRollCalled.as('called')])
    .select((eb) => ['session_student.status', eb.fn.countAll<number>().as('students')])
    .where(of === 'session' ? 'class_session.id' : 'class_session.class_id', '=', id)
    .groupBy(['class_session.id', 'session_student.status', ...rollColumns])
    .execute();
