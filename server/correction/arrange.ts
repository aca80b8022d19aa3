/** The scheduled lesson that a homework was published from (document 1, section 3, course_arrange). */
import type { Database } from '#server/db/engine.ts';
import type { CourseArrange } from './contract.ts';

/** Null for homework that was not published from a lesson. */
export async function courseArrangeOf(_db: Database, _homeworkId: number): Promise<CourseArrange | null> {
  return null;
}
