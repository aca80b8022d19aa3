/** Courses with periods, and attendance records, for tests of attendance. */
import { noon, type TestSchool } from './school.ts';

export const hour = 3600;

/** Creates a course of the given type with periods, taken by classes. The lecturer teaches it. */
export async function addLessons(
  { database: { db }, people }: TestSchool,
  {
    type,
    classes,
    starts,
    title = `课程类型${type}`,
  }: { type: number; classes: number[]; starts: number[]; title?: string },
): Promise<{ course: number; periods: number[] }> {
  const { id: schoolId } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
  const { id: course } = await db
    .insertInto('course')
    .values({
      title,
      course_type: type,
      school_id: schoolId,
      parent_id: null,
      classify_id: null,
      grade_id: null,
      subject_id: null,
      created_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('class_course')
    .values(classes.map((class_id) => ({ class_id, course_id: course })))
    .execute();
  const rows = await db
    .insertInto('period')
    .values(
      starts.map((start_play, index) => ({
        course_id: course,
        chapter_id: null,
        lecturer_id: people.teacher.id,
        sort: index + 1,
        title: `第${index + 1}讲`,
        start_play,
        total_time: hour,
      })),
    )
    .returning('id')
    .execute();
  return { course, periods: rows.map(({ id }) => id) };
}

/** Sets a student's attendance in a period, as if leave had been requested. Returns the id of the record. */
export async function record(
  { database: { db } }: TestSchool,
  cell: { classId: number; studentId: number; periodId: number },
  op_status: -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6,
): Promise<number> {
  const state = {
    op_status,
    leave_cause: '发烧',
    requested_at: noon,
    requested_by: null,
    decided_at: null,
    decided_by: null,
    changed_at: noon,
  };
  const { id } = await db
    .insertInto('attendance')
    .values({ class_id: cell.classId, student_id: cell.studentId, period_id: cell.periodId, ...state })
    .onConflict((known) => known.columns(['class_id', 'student_id', 'period_id']).doUpdateSet(state))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
