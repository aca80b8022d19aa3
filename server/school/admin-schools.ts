import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/**
 * Selects the ids of the schools that an administrator manages. Lists, counts and ids of every subject are limited to
 * them.
 */
export function schoolsOf(db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) {
  const schools = db.selectFrom('school').select('school.id');
  if (actor.everySchool) return schools;
  const named = db.selectFrom('staff_school').select('school_id').where('staff_id', '=', actor.id);
  return schools.where('school.id', 'in', named);
}

/** Selects the schools that new records may belong to: those that are not archived. */
export const openSchoolsOf = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  schoolsOf(db, actor).where('school.put_away_at', 'is', null);

/** Returns the schools as choices. Archived ones come last and are marked, because existing records keep them. */
export async function schoolChoices(db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) {
  const schools = await db
    .selectFrom('school')
    .select(['school.id', 'school.org_name as name', 'school.put_away_at'])
    .where('school.id', 'in', schoolsOf(db, actor))
    .orderBy('school.id')
    .execute();
  const choices = schools.map(({ id, name, put_away_at }) => ({
    isAway: put_away_at !== null,
    choice: { id, name: put_away_at === null ? name : `${name}（已停用）` },
  }));
  return [...choices.filter(({ isAway }) => !isAway), ...choices.filter(({ isAway }) => isAway)].map(
    ({ choice }) => choice,
  );
}
