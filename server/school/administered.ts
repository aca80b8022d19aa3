/** Which schools an administrator looks after: their lists, counts and ids of every subject end there. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Ids of the schools; all of them for an administrator of every school. */
export function schoolsOf(db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) {
  const schools = db.selectFrom('school').select('school.id');
  if (actor.everySchool) return schools;
  const named = db.selectFrom('staff_school').select('school_id').where('staff_id', '=', actor.id);
  return schools.where('school.id', 'in', named);
}

/** Those schools as choices. */
export const schoolChoices = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  db
    .selectFrom('school')
    .select(['school.id', 'school.org_name as name'])
    .where('school.id', 'in', schoolsOf(db, actor))
    .orderBy('school.id')
    .execute();
