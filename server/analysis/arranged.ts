/** The header of a homework that was given in a scheduled lesson (document 2, section 2.1, arrange mode). */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { isRefusal } from '#server/http/outcome.ts';
import { timeOf } from '#server/school/calendar.ts';
import type { ArrangeData } from './contract.ts';
import { headerOf } from './header.ts';

/** `arrangeData` is null for homework that was given in no lesson. */
export async function arrangedHeader(db: Database, actor: Actor, homeworkId: number, timezone: string) {
  const header = await headerOf(db, actor, { homeworkId });
  return isRefusal(header) ? header : { ...header, arrangeData: await lessonOf(db, homeworkId, timezone) };
}

/** Whoever sees the homework sees which lesson it belongs to. */
async function lessonOf(db: Database, homeworkId: number, timezone: string): Promise<ArrangeData | null> {
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
