import { sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { classesHeadedBy, lecturersOfClass, staffOnDuty } from '#server/school/staff-duties.ts';
import type { ClassDetail } from './contract.ts';
import { classNotFound, refuseClass } from './visible.ts';

/** Returns the header of a class. 404: no such class. */
export async function classDetail(db: Database, actor: Actor, id: number): Promise<ClassDetail | Refusal> {
  const refused = await refuseClass(db, actor, id);
  if (refused) return refused;
  const [theClass] = await header(db, { id, actorId: actor.id });
  if (!theClass) return classNotFound();
  const people = await teaching(db, { id });
  const named = (as: string) =>
    people.filter((one) => one.as === as).map(({ id: staffId, real_name }) => ({ id: staffId, real_name }));
  const isLimited = theClass.valid_type === 2;
  return {
    id,
    class_name: theClass.class_name,
    cover_image: theClass.cover_image,
    created_at: theClass.created_at,
    head_teachers: named('head'),
    teachers: named('lecturer'),
    students_count: theClass.students ?? 0,
    courses_count: theClass.courses ?? 0,
    large_class_id: theClass.large_class_id ?? 0,
    large_class_name: theClass.large_class_name ?? '',
    schedule_image: theClass.schedule_image,
    valid_type: isLimited ? 2 : 1,
    valid_time: isLimited ? theClass.valid_time : 0,
    group_id: theClass.group_id,
    group_hidden: theClass.group_hidden,
    is_header_teacher: theClass.headed === null ? 0 : 1,
  };
}

const header = (db: Database, { id, actorId }: Record<'id' | 'actorId', number>) =>
  db
    .selectFrom('class')
    .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
    .leftJoin('community_group as circle', 'circle.class_id', 'class.id')
    .select([
      'class.name as class_name',
      'class.cover_image',
      'class.created_at',
      'class.valid_type',
      'class.valid_time',
      'class.group_hidden',
      'class.schedule_image',
      'large_class.id as large_class_id',
      'large_class.name as large_class_name',
      'circle.id as group_id',
    ])
    .select((eb) => [
      eb
        .selectFrom('class_student')
        .select((count) => count.fn.countAll<number>().as('students'))
        .where('class_student.class_id', '=', id)
        .where('class_student.left_at', 'is', null)
        .as('students'),
      eb
        .selectFrom('class_course')
        .select((count) => count.fn.countAll<number>().as('courses'))
        .where('class_course.class_id', '=', id)
        .as('courses'),
      classesHeadedBy(db, { id: actorId }).where('class_staff.class_id', '=', id).as('headed'),
    ])
    .where('class.id', '=', id)
    .execute();

/** Selects the head teachers of a class and the lecturers of its courses. */
const teaching = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom(staffOnDuty(db, 'head', [id]).clearOrderBy().select(sql.lit('head').as('as')).as('head'))
    .select(['head.as', 'head.id', 'head.real_name'])
    .unionAll(
      db
        .selectFrom('staff')
        .select([sql.lit('lecturer').as('as'), 'staff.id', 'staff.real_name'])
        .where('staff.id', 'in', lecturersOfClass(db, id)),
    )
    .orderBy('id')
    .execute();
