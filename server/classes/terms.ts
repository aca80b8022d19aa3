/** Terms (学期) that a class belongs to. */
import { termChoices } from '#server/catalogue/terms.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Returns the ids of the class's terms, in order. */
export async function termIdsOf(db: Database, classId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('class_term')
    .select('term_id')
    .where('class_id', '=', classId)
    .orderBy('term_id')
    .execute();
  return rows.map(({ term_id }) => term_id);
}

export async function termsOf(db: Database, classId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('class_term')
    .innerJoin('term', 'term.id', 'class_term.term_id')
    .select(['term.id', 'term.name'])
    .where('class_term.class_id', '=', classId)
    .orderBy('term.first_day', 'desc')
    .orderBy('term.id')
    .execute();
}

/**
 * Returns the terms that a class can enter: not archived, and not over on `today` (yyyy-mm-dd). In the order of days, a
 * school year before its terms.
 */
export async function openTerms(db: Database, today: string): Promise<{ id: number; name: string }[]> {
  const terms = await termChoices(db);
  return terms
    .filter(({ last_day }) => last_day === '' || last_day >= today)
    .sort(
      (one, other) =>
        one.first_day.localeCompare(other.first_day) || other.last_day.localeCompare(one.last_day) || one.id - other.id,
    )
    .map(({ id, name }) => ({ id, name }));
}

/** True if all terms exist and are not archived. Terms that the class has already may stay. */
export async function areTermsKnown(
  db: Database,
  ids: readonly number[],
  before: readonly number[] = [],
): Promise<boolean> {
  const added = ids.filter((id) => !before.includes(id));
  if (added.length === 0) return true;
  const known = new Set((await termChoices(db)).map(({ id }) => id));
  return added.every((id) => known.has(id));
}

export async function storeTerms(db: Database, classId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('class_term').where('class_id', '=', classId).execute();
  if (ids.length === 0) return;
  await db
    .insertInto('class_term')
    .values(ids.map((term_id) => ({ class_id: classId, term_id })))
    .execute();
}
