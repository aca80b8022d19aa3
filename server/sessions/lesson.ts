/** The lesson that a homework was published from. Everybody who sees the homework sees it. */
import type { Database } from '#server/platform/db/engine.ts';
import { timeOf } from '#server/school/calendar.ts';

export interface Lesson {
  /** Name of the class. */
  name: string;
  classify_name: string;
  grade_name: string;
  subject_name: string;
  /** Start of the lesson, unix seconds. */
  arrange_time: number;
  /** Time of day in the school's time zone. */
  time_name: string;
}

/** Returns the lesson; null if the homework was not published from a lesson. */
export async function lessonOfHomework(db: Database, homeworkId: number, timezone: string): Promise<Lesson | null> {
  const lesson = await db
    .selectFrom('homework')
    .innerJoin('class_session', 'class_session.id', 'homework.arrange_id')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .leftJoin('classify', (join) =>
      join.on((eb) => eb('classify.id', '=', eb.fn.coalesce('class.classify_id', 'course.classify_id'))),
    )
    .leftJoin('grade', (join) =>
      join.on((eb) => eb('grade.id', '=', eb.fn.coalesce('class.grade_id', 'course.grade_id'))),
    )
    .leftJoin('subject', 'subject.id', 'course.subject_id')
    .select([
      'class.name',
      'classify.name as classify_name',
      'grade.name as grade_name',
      'subject.name as subject_name',
      'class_session.start_time',
      'class_session.end_time',
    ])
    .where('homework.id', '=', homeworkId)
    .executeTakeFirst();
  if (!lesson) return null;
  return {
    name: lesson.name,
    classify_name: lesson.classify_name ?? '',
    grade_name: lesson.grade_name ?? '',
    subject_name: lesson.subject_name ?? '',
    arrange_time: lesson.start_time,
    time_name: `${timeOf(lesson.start_time, timezone)}-${timeOf(lesson.end_time, timezone)}`,
  };
}
