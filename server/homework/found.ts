import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { containing } from '#server/platform/db/search.ts';
import { homeworkOf } from './visible.ts';

/** Homework by name, for who looks for anything: the latest first. */
export function homeworkFound(db: Database, actor: Actor, text: string, paging: Paging) {
  const homework = db
    .selectFrom('homework')
    .where('homework.id', 'in', homeworkOf(db, actor))
    .where(containing('homework.name', text));
  return pageOf(
    homework,
    paging,
    homework
      .innerJoin('course', 'course.id', 'homework.course_id')
      .select(['homework.id', 'homework.name', 'homework.ending_time', 'homework.status'])
      .select('course.title as course_title')
      .orderBy('homework.id', 'desc'),
  );
}
