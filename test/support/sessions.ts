/** Inserts lessons directly into the tables, without the calls that plan lessons. */
import type { Insertable } from 'kysely';
import type { Tables } from '#server/platform/db/schema.ts';
import { noon, type TestSchool } from './school.ts';

/** Inserts a lesson. Default: the lecturer teaches 一班 in the shared course, at noon, for one hour. Returns its id. */
export async function insertSession(
  { database: { db }, people, classes, courses }: TestSchool,
  lesson: Partial<Insertable<Tables['class_session']>> = {},
): Promise<number> {
  const start = lesson.start_time ?? noon;
  const { id } = await db
    .insertInto('class_session')
    .values({
      class_id: classes.k1,
      course_id: courses.shared,
      period_id: null,
      lecturer_id: people.teacher.id,
      room_id: null,
      start_time: start,
      end_time: start + 3600,
      cancelled_at: null,
      created_at: noon,
      ...lesson,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
