/** Which courses classes take (table class_course). */
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { deleteRows, insertRows } from '#server/platform/db/rows.ts';

/** Replaces the courses of a class. */
export async function assignCourses(db: Database, classId: number, courseIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('class_course')
    .where('class_id', '=', classId)
    .where('course_id', 'not in', [0, ...courseIds])
    .execute();
  if (courseIds.length === 0) return;
  await db
    .insertInto('class_course')
    .values(courseIds.map((course_id) => ({ class_id: classId, course_id })))
    .onConflict((known) => known.columns(['class_id', 'course_id']).doNothing())
    .execute();
}

interface TakenCourse {
  class_id: number;
  course_id: number;
}

const columns = { class_id: 'integer', course_id: 'integer' } as const;

/** Lists the courses of these classes in the order of their ids. */
export const coursesOfClasses = (db: Database, classIds: readonly number[]): Promise<TakenCourse[]> =>
  db
    .selectFrom('class_course')
    .select(['class_id', 'course_id'])
    .where('class_id', 'in', inIds(db, classIds))
    .orderBy('class_id')
    .orderBy('course_id')
    .execute();

/** Adds courses to classes; a course that a class already has is skipped. */
export const addCoursesToClasses = (db: Database, taken: readonly TakenCourse[]): Promise<void> =>
  insertRows(db, 'class_course', columns, taken, { known: ['class_id', 'course_id'], set: [] });

/** Removes courses from classes. */
export const removeCoursesFromClasses = (db: Database, left: readonly TakenCourse[]): Promise<void> =>
  deleteRows(db, 'class_course', columns, left);
