/** Adds attendance, lessons and talks to a planted student (planted-marks.ts). */

import { studentMarks } from './planted-marks.ts';
import { noon, type TestSchool } from './school.ts';
import { insertSession } from './sessions.ts';

const { text } = studentMarks;
const hour = 3600;

/** Returns the id of the attendance record, a leave request. */
export async function plantAttendance(school: TestSchool, id: number): Promise<number> {
  const { db } = school.database;
  const { people, classes, periods } = school;
  const mark = await db
    .insertInto('attendance')
    .values({
      class_id: classes.k1,
      student_id: id,
      period_id: periods.mine,
      op_status: 1,
      leave_cause: `${text}请假`,
      requested_at: noon,
      requested_by: null,
      decided_at: null,
      decided_by: null,
      changed_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('study_record').values({ student_id: id, period_id: periods.mine, live_seconds: 60 }).execute();
  const roll = await db
    .insertInto('roll_call')
    .values({
      staff_id: people.teacher.id,
      class_id: classes.k1,
      period_id: periods.mine,
      session_id: null,
      at: noon,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('roll_call_mark')
    .values({ roll_call_id: roll.id, record_id: mark.id, before: `{"remark":"${text}"}`, after: '{}' })
    .execute();
  const course = await db
    .selectFrom('period')
    .select('course_id')
    .where('id', '=', periods.mine)
    .executeTakeFirstOrThrow();
  const lesson = await insertSession(school, {
    course_id: course.course_id,
    start_time: noon - 2 * hour,
    created_at: noon - 9 * hour,
  });
  await db
    .insertInto('session_student')
    .values({
      session_id: lesson,
      student_id: id,
      status: 1,
      remark: `${text}备注`,
      set_by: people.teacher.id,
      set_at: noon,
      teacher_remark: `${text}评价`,
      teacher_remark_by: people.teacher.id,
      teacher_remark_at: noon,
      student_remark: `${text}感想`,
    })
    .execute();
  await db
    .insertInto('communication_record')
    .values({
      session_id: lesson,
      student_id: id,
      staff_id: people.teacher.id,
      content: `${text}沟通`,
      created_at: noon,
    })
    .execute();
  return mark.id;
}
