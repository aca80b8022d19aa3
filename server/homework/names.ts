import { refuseClass } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { firstDistinctNames, suggestionSourceRows } from '#server/school/suggested-names.ts';
import { visibleHomeworkIds } from './visible.ts';

/**
 * Suggests names for the homework filters, from the latest homework that the actor sees, optionally of one class. 404:
 * the actor has no such class.
 */
export async function suggestHomeworkNames(db: Database, actor: Actor, classId: number | undefined) {
  let homework = db.selectFrom('homework').where('homework.id', 'in', visibleHomeworkIds(db, actor));
  if (classId !== undefined) {
    const refusal = await refuseClass(db, actor, classId);
    if (refusal) return refusal;
    homework = homework.where(
      'homework.id',
      'in',
      db
        .selectFrom('homework_class')
        .select('homework_class.homework_id')
        .where('homework_class.class_id', '=', classId)
        .where('homework_class.published_at', 'is not', null),
    );
  }
  const rows = await homework
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .select(['course.title as course', 'period.title as period', 'creator.real_name as publisher'])
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(suggestionSourceRows)
    .execute();
  return {
    courses: firstDistinctNames(rows.map(({ course }) => course)),
    periods: firstDistinctNames(rows.map(({ period }) => period)),
    publishers: firstDistinctNames(rows.map(({ publisher }) => publisher)),
  };
}
