/** Looks up the chosen staff and courses within the user's schools. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { disabledStaffFault, missingAssistant, missingCourse, missingLecturer, takenCourseFault } from './rules.ts';

type StaffContext = { db: Database; actor: Pick<Actor, 'id' | 'everySchool'> };

export interface ChosenPerson {
  id: number;
  real_name: string;
}

/**
 * Looks up the staff chosen for a duty. 404: a person outside the user's schools, or of another identity. 422: a
 * disabled person, except `kept` staff, who have the duty already.
 */
export async function checkChosenStaff(
  { db, actor }: StaffContext,
  {
    field,
    identity,
    ids,
    kept = [],
  }: { field: string; identity: 'teacher' | 'assist'; ids: readonly number[]; kept?: readonly number[] },
): Promise<ChosenPerson[] | Refusal> {
  const added = ids.filter((id) => !kept.includes(id));
  const people = await db
    .selectFrom('staff')
    .select(['staff.id', 'staff.real_name', 'staff.disabled_at', 'staff.identity'])
    .where('staff.id', 'in', [0, ...ids])
    .where((eb) => eb.or([eb('staff.school_id', 'in', schoolsOf(db, actor)), eb('staff.id', 'in', [0, ...kept])]))
    .orderBy('staff.id')
    .execute();
  const fits = (id: number) => people.some((one) => one.id === id && one.identity === identity);
  if (!added.every(fits)) return missing(identity === 'teacher' ? missingLecturer : missingAssistant);
  const faults = people.flatMap((one) => (added.includes(one.id) ? (disabledStaffFault(one) ?? []) : []));
  if (faults.length > 0) return invalid({ [field]: faults.slice(0, 1) });
  return people;
}

/**
 * Looks up the chosen courses within the user's schools. 404: a course outside them. 422: a parent course or an
 * archived one, except `kept` courses, which the class has already.
 */
export async function checkChosenCourses(
  { db, actor }: StaffContext,
  { ids, kept = [] }: { ids: readonly number[]; kept?: readonly number[] },
): Promise<{ id: number; title: string }[] | Refusal> {
  const added = ids.filter((id) => !kept.includes(id));
  const courses = await db
    .selectFrom('course')
    .select(['course.id', 'course.title', 'course.put_away_at'])
    .select((eb) =>
      eb
        .selectFrom('course as child')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('child.parent_id', '=', 'course.id')
        .as('children'),
    )
    .where('course.id', 'in', [0, ...ids])
    .where((eb) => eb.or([eb('course.school_id', 'in', schoolsOf(db, actor)), eb('course.id', 'in', [0, ...kept])]))
    .orderBy('course.id')
    .execute();
  if (!added.every((id) => courses.some((course) => course.id === id))) return missing(missingCourse);
  const faults = courses.flatMap(
    ({ id, title, children, put_away_at }) =>
      (added.includes(id) ? takenCourseFault({ title, put_away_at, is_parent: (children ?? 0) > 0 }) : undefined) ?? [],
  );
  if (faults.length > 0) return invalid({ course_ids: faults.slice(0, 1) });
  return courses;
}
