/** Adds homework of a given school year. The id determines the year. */
import type { Database } from '#server/platform/db/engine.ts';

/** First id of a year, in tables that are partitioned by school year. */
export const firstIdOf = (year: number): number => (year - 2020) * 1_000_000_000;

/** Copies the first homework with a question under this id, and publishes it to a new class without students. */
export async function addHomeworkWithId(db: Database, id: number): Promise<{ homeworkId: number; classId: number }> {
  const { id: first, ...homework } = await db
    .selectFrom('homework')
    .selectAll()
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('homework')
    .values({ ...homework, id })
    .execute();
  const { id: _, ...question } = await db
    .selectFrom('homework_question')
    .selectAll()
    .where('homework_id', '=', first)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('homework_question')
    .values({ ...question, homework_id: id, parent_id: null })
    .execute();
  const { class_id, published_at } = await db
    .selectFrom('homework_class')
    .select(['class_id', 'published_at'])
    .where('homework_id', '=', first)
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.insertInto('homework_class').values({ homework_id: id, class_id, published_at }).execute();
  return { homeworkId: id, classId: class_id };
}
