/** Reads the people of the demo school back from the database, for parts that are added later. */

import type { Identity } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';

interface DemoPerson {
  id: number;
  username: string;
  identity: Identity;
  school_id: number;
}

export interface ClassPeople {
  id: number;
  name: string;
  school_id: number;
  /** When the class ends, unix seconds; null: long-term. */
  ends: number | null;
  /** Head teachers of the class, then its assistants, each once. */
  staff: DemoPerson[];
  /** Ids of the current students. */
  studentIds: number[];
  /** All enrolments of the class, including former students. Times in unix seconds. */
  students: { id: number; joined_at: number; left_at: number | null }[];
}

/**
 * Reads state-school classes in the order of their ids. `busiest`: index of a class that both demo accounts belong to.
 */
export async function demoPeople(
  db: Database,
): Promise<{ classes: ClassPeople[]; busiest: number; staffNamed: (username: string) => DemoPerson }> {
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'username', 'identity', 'school_id'])
    .orderBy('id')
    .execute();
  const duties = await db
    .selectFrom('class_staff')
    .select(['class_id', 'staff_id'])
    .orderBy('duty', 'desc')
    .orderBy('staff_id')
    .execute();
  const members = await db
    .selectFrom('class_student')
    .select(['class_id', 'student_id', 'joined_at', 'left_at'])
    .orderBy('id')
    .execute();
  const rows = await db
    .selectFrom('class')
    .select(['id', 'name', 'school_id', 'valid_type', 'valid_time'])
    .where('class_type', '=', 0)
    .orderBy('id')
    .execute();
  const classes = rows.map(({ valid_type, valid_time, ...row }): ClassPeople => {
    const ids = new Set(duties.filter(({ class_id }) => class_id === row.id).map(({ staff_id }) => staff_id));
    const students = members
      .filter(({ class_id }) => class_id === row.id)
      .map(({ student_id, joined_at, left_at }) => ({ id: student_id, joined_at, left_at }));
    return {
      ...row,
      ends: valid_type === 2 ? valid_time : null,
      staff: [...ids].flatMap((id) => staff.find((one) => one.id === id) ?? []),
      students,
      studentIds: students.filter(({ left_at }) => left_at === null).map(({ id }) => id),
    };
  });
  const staffNamed = (username: string) => {
    const found = staff.find((one) => one.username === username);
    if (!found) throw new Error(`The demo school has no ${username}`);
    return found;
  };
  const isOf = ({ staff: people }: ClassPeople, name: string) => people.some(({ username }) => username === name);
  const busiest = classes.findIndex(
    (theClass) => theClass.staff[0]?.username === 'teacher' && isOf(theClass, 'assist'),
  );
  return { classes, busiest: Math.max(0, busiest), staffNamed };
}
