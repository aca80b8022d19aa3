/**
 * Reads facts about attendance of students in the periods of their class, and the numbers of their homework in the
 * class.
 */
import { type SqlBool, sql } from 'kysely';
import { offlineCourse } from '#server/classes/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type AttendanceFacts, markedStatuses, type OpStatus } from './rules.ts';

/** Scope of the facts: members (`class_student.id`) of one class, in all its courses or in some periods. */
export interface FactScope {
  classId: number;
  /** Members to read; undefined for the whole class. */
  memberIds?: readonly number[];
  uid?: number;
  courseId?: number;
  periodIds?: readonly number[];
}

/**
 * Selects one row per student and period of the class. Looks up `attendance` and `study_record` by key, so the cost
 * depends only on the requested students and periods. `now` in unix seconds.
 */
export function attendanceCells(
  db: Database,
  { classId, memberIds, uid, courseId, periodIds }: FactScope,
  now: number,
) {
  let cells = db
    .selectFrom('class_student as member')
    .innerJoin('class_course', 'class_course.class_id', 'member.class_id')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .innerJoin('period', 'period.course_id', 'course.id')
    .leftJoin('attendance', (join) =>
      join
        .onRef('attendance.class_id', '=', 'member.class_id')
        .onRef('attendance.student_id', '=', 'member.student_id')
        .onRef('attendance.period_id', '=', 'period.id'),
    )
    .leftJoin('study_record', (join) =>
      join.onRef('study_record.student_id', '=', 'member.student_id').onRef('study_record.period_id', '=', 'period.id'),
    )
    .where('member.class_id', '=', classId)
    .select([
      'member.id as member_id',
      'member.student_id as uid',
      'course.id as course_id',
      'course.course_type',
      'period.id as period_id',
      'period.total_time',
      sql<number>`coalesce(attendance.op_status, -1)`.as('op_status'),
      sql<number>`case when study_record.live_seconds > 0 then 1 else 0 end`.as('watched_live'),
      sql<number>`coalesce(study_record.live_seconds + study_record.replay_seconds, 0)`.as('watched'),
      sql<number>`case when period.start_play <= ${now} then 1 else 0 end`.as('begun'),
      sql<number>`case when period.start_play + period.total_time <= ${now} then 1 else 0 end`.as('ended'),
      isRollCallDone('member.class_id').as('called'),
      sql<number>`case when ${wasMember} then 1 else 0 end`.as('expected'),
      'attendance.id as attendance_id',
      'attendance.leave_cause',
      'attendance.requested_at',
    ]);
  if (memberIds) cells = cells.where('member.id', 'in', memberIds);
  if (uid !== undefined) cells = cells.where('member.student_id', '=', uid);
  if (courseId !== undefined) cells = cells.where('course.id', '=', courseId);
  if (periodIds) cells = cells.where('period.id', 'in', periodIds);
  return cells;
}

/** SQL: true if the student was in the class when the period began, in the latest enrolment or in an earlier one. */
export const wasMember = sql<SqlBool>`(
  (member.joined_at <= period.start_play and (member.left_at is null or member.left_at > period.start_play))
  or exists (
    select 1 from class_earlier_stay as stay
    where stay.class_id = member.class_id and stay.student_id = member.student_id
      and stay.joined_at <= period.start_play and stay.left_at > period.start_play
  )
)`;

/**
 * SQL: 1 if some student of the class is recorded as present or absent in a face-to-face period. Other courses go by
 * the clock.
 */
export const isRollCallDone = (classId: 'member.class_id' | 'class_course.class_id') => sql<number>`case
  when course.course_type = ${sql.lit(offlineCourse)} and exists (
    select 1 from attendance as called
    where called.period_id = period.id and called.class_id = ${sql.ref(classId)}
      and called.op_status in (${sql.join(markedStatuses.map(sql.lit))})
  ) then 1 else 0 end`;

/** Converts a row of `attendanceCells` to the facts that the rules need. */
export const factsOf = (cell: {
  course_type: number;
  op_status: number;
  watched_live: number;
  begun: number;
  ended: number;
  called: number;
}): AttendanceFacts => ({
  courseType: cell.course_type,
  recorded: cell.op_status as OpStatus,
  watchedLive: cell.watched_live === 1,
  begun: cell.begun === 1,
  ended: cell.ended === 1,
  called: cell.called === 1,
});

export interface HomeworkFigures {
  hw_submit_times: number;
  hw_assign_times: number;
}
/** Homework figures of a student who has no homework. */
export const noHomework: HomeworkFigures = { hw_submit_times: 0, hw_assign_times: 0 };

/**
 * Counts assigned and submitted homework of students in a class, by student or by course. Recalled homework is left
 * out.
 */
export async function countHomeworkBy(
  db: Database,
  key: 'student_id' | 'course_id',
  { classId, studentIds }: { classId: number; studentIds: readonly number[] },
): Promise<Map<number, HomeworkFigures>> {
  if (studentIds.length === 0) return new Map();
  const rows = await homeworkIn(db, { classId, listed: JSON.stringify(studentIds) }, key);
  return new Map(rows.map((row) => [row.key, { hw_assign_times: row.assigned, hw_submit_times: row.submitted }]));
}

/** `listed`: student ids as JSON. */
const homeworkIn = (
  db: Database,
  { classId, listed }: { classId: number; listed: string },
  key: 'student_id' | 'course_id',
) => {
  const column = key === 'student_id' ? 'report.student_id' : 'homework.course_id';
  return db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select([
      `${column} as key`,
      sql<number>`count(*)`.as('assigned'),
      sql<number>`sum(case when report.status > 1 then 1 else 0 end)`.as('submitted'),
    ])
    .where('report.student_id', 'in', inJsonIds(db, listed))
    .where('report.class_id', '=', classId)
    .where('homework.status', '=', 1)
    .groupBy(column)
    .execute();
};
