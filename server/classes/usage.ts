/** Counts what depends on a class. */
import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { ClassTraces } from './rules.ts';

/** Counts current students, open homework and future lessons of a class, or only of the courses it would lose. */
export async function usageOf(
  db: Database,
  { classId, courseIds, now }: { classId: number; courseIds?: readonly number[]; now: number },
): Promise<ClassTraces> {
  let homework = db
    .selectFrom('homework_class')
    .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
    .where('homework_class.class_id', '=', classId)
    .where('homework_class.published_at', 'is not', null)
    .where('homework.status', '=', 1)
    .where('homework.ending_time', '>', now);
  let periods = db
    .selectFrom('class_course')
    .innerJoin('period', 'period.course_id', 'class_course.course_id')
    .where('class_course.class_id', '=', classId)
    .where('period.start_play', '>', now);
  let lessons = db
    .selectFrom('class_session')
    .where('class_session.class_id', '=', classId)
    .where('class_session.cancelled_at', 'is', null)
    .where('class_session.start_time', '>', now);
  if (courseIds) {
    homework = homework.where('homework.course_id', 'in', [0, ...courseIds]);
    periods = periods.where('class_course.course_id', 'in', [0, ...courseIds]);
    lessons = lessons.where('class_session.course_id', 'in', [0, ...courseIds]);
  }
  const students = db
    .selectFrom('class_student')
    .where('class_student.class_id', '=', classId)
    .where('class_student.left_at', 'is', null);
  return {
    students: await countOf(students),
    homework: await countOf(homework),
    periods: await countOf(periods),
    lessons: await countOf(lessons),
  };
}

/** Counts the records of a class, keyed by Chinese noun. A class with records cannot be deleted. */
export async function countRecords(db: Database, id: number): Promise<Record<string, number>> {
  return {
    名学员: await countOf(db.selectFrom('class_student').where('class_student.class_id', '=', id)),
    个作业: await countOf(db.selectFrom('homework_class').where('homework_class.class_id', '=', id)),
    场考试: await countOf(db.selectFrom('exam_class').where('exam_class.class_id', '=', id)),
    节课: await countOf(db.selectFrom('class_session').where('class_session.class_id', '=', id)),
    条考勤: await countOf(db.selectFrom('attendance').where('attendance.class_id', '=', id)),
    次点名: await countOf(db.selectFrom('roll_call').where('roll_call.class_id', '=', id)),
    条公告: await countOf(db.selectFrom('class_notice').where('class_notice.class_id', '=', id)),
    次班会: await countOf(db.selectFrom('class_meeting').where('class_meeting.class_id', '=', id)),
    个课件: await countOf(db.selectFrom('class_ware').where('class_ware.class_id', '=', id)),
    个圈子: await countOf(db.selectFrom('community_group').where('community_group.class_id', '=', id)),
    个分组: await countOf(db.selectFrom('class_group').where('class_group.class_id', '=', id)),
  };
}
