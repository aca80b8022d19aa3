/** Pages of a student's lessons with attendance, and of leave requests. */

import { sql } from 'kysely';
import { factsOf, isRollCallDone, wasMember } from '#server/attendance/facts.ts';
import {
  attendanceCategory,
  currentAttendance,
  type OpStatus,
  opStatusNames,
  statusName,
} from '#server/attendance/rules.ts';
import { classTypes, liveCourses, offlineCourse } from '#server/classes/rules.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { expectedStudents, isRollCalled, rollColumns, rollState } from '#server/sessions/roster.ts';
import { attendanceName, presentAttendance } from '#server/sessions/rules.ts';
import type { StudentLeave, StudentLesson } from './records.contract.ts';
import { type RequestContext, refuseHiddenStudent } from './records.ts';

/**
 * Selects past periods with attendance in the student's classes. Callers limit them to the time that the student was in
 * the class.
 */
export const periodsOf = (db: Database, id: number, now: number) =>
  db
    .selectFrom('class_student as member')
    .innerJoin('class', 'class.id', 'member.class_id')
    .innerJoin('class_course', 'class_course.class_id', 'member.class_id')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .innerJoin('period', 'period.course_id', 'course.id')
    .where('member.student_id', '=', id)
    .where('course.course_type', 'in', [...liveCourses, offlineCourse])
    .where('period.start_play', '<=', now);

/** Selects past scheduled lessons in which the student was expected. */
export const lessonsOf = (db: Database, id: number, now: number) =>
  expectedStudents(db)
    .where('student.id', '=', id)
    .where('class_session.start_time', '<=', now)
    .where('class_session.cancelled_at', 'is', null);

const attended = { attended: 1, leave: 2, truant: 3, uncalled: 0, waiting: 0, exempt: 0 } as const;

/** Lists course periods and lessons of group and one-to-one classes (`class_session`) that have begun, latest first. */
export async function attendancePage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentLesson> | Refusal> {
  const { db, now } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const [periods, lessons] = await Promise.all([heldPeriods(db, id, now), heldLessons(db, id, now)]);
  const all = [...periods, ...lessons].toSorted((one, other) => other.start - one.start || other.id - one.id);
  return pageOf(all.length, paging, ({ limit, offset }) => all.slice(offset, offset + limit));
}

async function heldPeriods(db: Database, id: number, now: number): Promise<StudentLesson[]> {
  const rows = await periodsOf(db, id, now)
    .where(wasMember)
    .leftJoin('attendance', (join) =>
      join
        .onRef('attendance.class_id', '=', 'member.class_id')
        .onRef('attendance.student_id', '=', 'member.student_id')
        .onRef('attendance.period_id', '=', 'period.id'),
    )
    .leftJoin('study_record', (join) =>
      join.onRef('study_record.student_id', '=', 'member.student_id').onRef('study_record.period_id', '=', 'period.id'),
    )
    .select(['period.id', 'period.title', 'course.title as course', 'course.course_type', 'period.start_play as start'])
    .select(['class.id as class_id', 'class.name as class_name'])
    .select([
      sql<number>`coalesce(attendance.op_status, -1)`.as('op_status'),
      sql<number>`case when study_record.live_seconds > 0 then 1 else 0 end`.as('watched_live'),
      sql<number>`case when period.start_play <= ${now} then 1 else 0 end`.as('begun'),
      sql<number>`case when period.start_play + period.total_time <= ${now} then 1 else 0 end`.as('ended'),
      isRollCallDone('member.class_id').as('called'),
    ])
    .execute();
  return rows.map(({ course_type, op_status, watched_live, begun, ended, called, ...row }): StudentLesson => {
    const facts = factsOf({ course_type, op_status, watched_live, begun, ended, called });
    return {
      kind: 'period',
      ...row,
      state: statusName(currentAttendance(facts), course_type),
      attended: attended[attendanceCategory(facts)],
    };
  });
}

async function heldLessons(db: Database, id: number, now: number): Promise<StudentLesson[]> {
  const rows = await lessonsOf(db, id, now)
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .leftJoin('session_student as noted', (join) =>
      join.onRef('noted.session_id', '=', 'class_session.id').onRef('noted.student_id', '=', 'student.id'),
    )
    .select(['class_session.id', 'class_session.chapter_title', 'course.title as course', 'noted.status'])
    .select([...rollColumns, isRollCalled.as('called')])
    .select(['class.id as class_id', 'class.name as class_name', 'class.class_type'])
    .execute();
  return rows.map((row): StudentLesson => {
    const attendance = presentAttendance(rollState(row, now), row.status);
    return {
      kind: 'session',
      id: row.id,
      title: row.chapter_title || (row.class_type === classTypes.oneToOne ? '一对一' : '团课'),
      course: row.course,
      class_id: row.class_id,
      class_name: row.class_name,
      start: row.start_time,
      state: attendanceName(attendance, row.teaching_mode),
      attended: attendance ?? 0,
    };
  });
}

/**
 * Selects the student's leave requests. The condition on the student's present and past classes lets the query use an
 * index.
 */
export const leaveOf = (db: Database, id: number) =>
  db
    .selectFrom('attendance')
    .where('attendance.student_id', '=', id)
    .where('attendance.class_id', 'in', db.selectFrom('class_student').select('class_id').where('student_id', '=', id))
    .where('attendance.requested_at', 'is not', null);

/** Lists the student's leave requests. 404: no such student. */
export async function leavePage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentLeave> | Refusal> {
  const { db } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const leave = leaveOf(db, id);
  const { list, ...range } = await pageOf(
    leave,
    paging,
    leave
      .innerJoin('class', 'class.id', 'attendance.class_id')
      .innerJoin('period', 'period.id', 'attendance.period_id')
      .innerJoin('course', 'course.id', 'period.course_id')
      .leftJoin('staff', 'staff.id', 'attendance.decided_by')
      .select(['attendance.id', 'class.id as class_id', 'class.name as class_name', 'course.title as course'])
      .select(['period.title', 'period.start_play as start', 'attendance.leave_cause as cause'])
      .select(['attendance.op_status', 'attendance.requested_at', 'attendance.decided_at', 'staff.real_name'])
      .orderBy('attendance.requested_at', 'desc')
      .orderBy('attendance.id', 'desc'),
  );
  return {
    list: list.map(
      ({ op_status, requested_at, real_name, ...row }): StudentLeave => ({
        ...row,
        state: opStatusNames[op_status as OpStatus],
        is_waiting: op_status === 1 ? 1 : 0,
        requested_at: requested_at ?? 0,
        decided_by: real_name ?? '',
      }),
    ),
    ...range,
  };
}
