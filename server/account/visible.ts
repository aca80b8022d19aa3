import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';

/**
 * Staff of the administrator's schools. Another administrator is only visible if all of their schools are among these.
 */
export function adminStaff(db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) {
  const staff = db.selectFrom('staff');
  if (actor.everySchool) return staff;
  return staff.where((eb) => {
    const elsewhere = eb
      .selectFrom('staff_school')
      .select('staff_school.staff_id')
      .whereRef('staff_school.staff_id', '=', 'staff.id')
      .where('staff_school.school_id', 'not in', schoolsOf(db, actor));
    return eb.and([
      eb('staff.school_id', 'in', schoolsOf(db, actor)),
      eb('staff.every_school', '=', 0),
      eb.not(eb.exists(elsewhere)),
    ]);
  });
}
