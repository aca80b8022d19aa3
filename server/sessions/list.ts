import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { classTypes } from '#server/classes/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { dayRange, timeOf } from '#server/school/calendar.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';
import type { SessionFilter, SessionRow } from './contract.ts';
import { missingSession, sessionStatus } from './rules.ts';

interface Clock {
  /** Unix seconds. */
  now: number;
  timezone: string;
}

/**
 * Lists one page of the actor's own lessons: first those in progress, then future and past ones, each nearest first.
 */
export async function ownLessonPage(db: Database, actor: Actor, filter: SessionFilter, clock: Clock) {
  const { status } = filter;
  const days = dayRange(filter.start_at, filter.end_at, clock.timezone);
  let matching = sessionsOf(db, actor).clearSelect();
  if (days.from !== undefined) matching = matching.where('class_session.start_time', '>=', days.from);
  if (days.until !== undefined) matching = matching.where('class_session.start_time', '<', days.until);
  const { class_type } = filter;
  if (class_type !== undefined) {
    matching = matching.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('class')
          .select('class.id')
          .whereRef('class.id', '=', 'class_session.class_id')
          .where('class.class_type', '=', class_type),
      ),
    );
  }
  if (status !== undefined) matching = matching.where((eb) => hasStatus(eb, status, clock.now));
  // Sorts lessons in progress first, then upcoming, then past ones.
  const inOrder = matching
    .select('class_session.id')
    .orderBy((eb) =>
      eb
        .case()
        .when(hasStatus(eb, 3, clock.now))
        .then(0)
        .when('class_session.start_time', '>', clock.now)
        .then(1)
        .else(2)
        .end(),
    )
    .orderBy(sql`abs(class_session.start_time - cast(${clock.now} as bigint))`)
    .orderBy('class_session.id');
  // Sorts only ids, and then reads the other columns for the page.
  const { list: ids, ...range } = await pageOf(matching, filter, inOrder);
  const places = new Map(ids.map(({ id }, place) => [id, place]));
  const rows =
    ids.length === 0
      ? []
      : await selectSessions(db)
          .where('class_session.id', 'in', [...places.keys()])
          .execute();
  rows.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
  return { list: rows.map((row) => sessionRow(row, clock)), ...range };
}

/** Returns one lesson. 404: the actor has no such lesson. */
export async function findOwnSession(
  db: Database,
  actor: Actor,
  id: number,
  clock: Clock,
): Promise<SessionRow | Refusal> {
  const row = await selectSessions(db)
    .where('class_session.id', '=', id)
    .where('class_session.id', 'in', sessionsOf(db, actor).where('class_session.id', '=', id))
    .executeTakeFirst();
  return row ? sessionRow(row, clock) : missing(missingSession);
}

/** Condition that a lesson has this status; the same rule as `sessionStatus`, in SQL. */
export function hasStatus(
  eb: ExpressionBuilder<Tables, 'class_session'>,
  status: SessionRow['status'],
  now: number,
): ExpressionWrapper<Tables, 'class_session', SqlBool> {
  if (status === 4) return eb('class_session.cancelled_at', 'is not', null);
  const parts = [eb('class_session.cancelled_at', 'is', null)];
  if (status !== 2) parts.push(eb('class_session.start_time', '<=', now));
  if (status === 2) parts.push(eb('class_session.start_time', '>', now));
  if (status === 1) parts.push(eb('class_session.end_time', '<=', now));
  if (status === 3) parts.push(eb('class_session.end_time', '>', now));
  return eb.and(parts);
}

const joinSessions = (db: Database) =>
  db
    .selectFrom('class_session')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('school', 'school.id', 'class.school_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .innerJoin('staff', 'staff.id', 'class_session.lecturer_id')
    .leftJoin('period', 'period.id', 'class_session.period_id')
    .leftJoin('room', 'room.id', 'class_session.room_id')
    // Joins the student of a one-to-one class, who is its only present member.
    .leftJoin('class_student', (join) =>
      join
        .onRef('class_student.class_id', '=', 'class.id')
        .on('class.class_type', '=', classTypes.oneToOne)
        .on('class_student.left_at', 'is', null),
    )
    .leftJoin('student', 'student.id', 'class_student.student_id');

const columns = [
  'class_session.id',
  'class_session.class_id',
  'class_session.course_id',
  'class_session.period_id',
  'class_session.teaching_mode',
  'class_session.chapter_title',
  'class_session.start_time',
  'class_session.end_time',
  'class_session.cancelled_at',
  'class_session.created_at',
  'class.name as class_name',
  'class.class_type',
  'school.org_name',
  'course.title as course_title',
  'staff.real_name as nickname',
  'period.title as period_title',
  'room.name as room_name',
  'student.id as student_id',
  'student.nickname as student_name',
] as const;

const selectSessions = (db: Database) => joinSessions(db).select(columns);
type Row = Awaited<ReturnType<ReturnType<typeof selectSessions>['executeTakeFirstOrThrow']>>;

function sessionRow(row: Row, clock: Clock): SessionRow {
  const { start_time, cancelled_at, student_id, student_name, ...session } = row;
  const { end_time, teaching_mode } = session;
  const time = (seconds: number) => timeOf(seconds, clock.timezone);
  return {
    ...session,
    status: sessionStatus({ start_time, end_time, cancelled_at }, clock.now),
    class_type: session.class_type === classTypes.oneToOne ? classTypes.oneToOne : classTypes.group,
    arrange_time: start_time,
    time_name: `${time(start_time)}-${time(end_time)}`,
    period_title: session.period_title ?? '',
    room_name: session.room_name ?? '',
    user_id: student_id ?? 0,
    clue_name: student_name ?? '',
    allow_enter: teaching_mode === 2 || cancelled_at !== null ? 1 : 0,
  };
}
