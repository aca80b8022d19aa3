import type { Database } from '#server/platform/db/engine.ts';

/** Returns the id of the school with this name; creates it if needed. */
export async function findOrAddSchool(db: Database, name: string): Promise<number> {
  const known = await db
    .selectFrom('school')
    .select('id')
    .where('org_name', '=', name)
    .orderBy('id')
    .executeTakeFirst();
  if (known) return known.id;
  const made = await db.insertInto('school').values({ org_name: name }).returning('id').executeTakeFirstOrThrow();
  return made.id;
}
