/** Administrators of the school that moves. */
import { assignSchool } from '#server/account/staff-accounts.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';

const administering = (db: Database) =>
  db.selectFrom('staff').where('identity', '=', 'admin').where('disabled_at', 'is', null);

/** Returns the ids of the administrators of all schools, leaving out staff of the school `except`. */
export async function administratorsOfAll(db: Database, except = 0): Promise<number[]> {
  const rows = await administering(db)
    .select('id')
    .where('every_school', '=', 1)
    .where('school_id', '!=', except)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Makes these people administrators of the school in the target, even if others administer all schools there. */
export async function makeAdministrators(
  there: Database,
  schoolId: number,
  administrators: readonly number[],
): Promise<void> {
  const bound = await administering(there)
    .select('id')
    .where((eb) => eb('id', 'in', inIds(there, administrators)))
    .where('every_school', '=', 0)
    .execute();
  for (const { id } of bound) await assignSchool(there, id, schoolId);
}

/** Returns the user names of a school's administrators. */
export async function administratorsHere(db: Database, schoolId: number): Promise<string[]> {
  const rows = await administering(db)
    .select('username')
    .where((eb) =>
      eb.or([
        eb('every_school', '=', 1),
        eb('id', 'in', eb.selectFrom('staff_school').select('staff_id').where('school_id', '=', schoolId)),
      ]),
    )
    .orderBy('username')
    .execute();
  return rows.map(({ username }) => username);
}
