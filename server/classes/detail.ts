import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { isHeadTeacher, lecturersOfClass, staffOnDuty } from '#server/school/reach.ts';
import type { ClassDetail } from './contract.ts';
import { studentCounts } from './list.ts';
import { circleOf, noClass, visibleClasses } from './visible.ts';

export async function classDetail(db: Database, actor: Actor, id: number): Promise<ClassDetail | Refusal> {
  const klass = await visibleClasses(db, actor)
    .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
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
    ])
    .where('class.id', '=', id)
    .executeTakeFirst();
  if (!klass) return noClass();
  const heads = await staffOnDuty(db, 'head', [id]).execute();
  const teachers = await db
    .selectFrom('staff')
    .select(['staff.id', 'staff.real_name'])
    .where('staff.id', 'in', lecturersOfClass(db, id))
    .orderBy('staff.id')
    .execute();
  const { courses } = await db
    .selectFrom('class_course')
    .select((eb) => eb.fn.countAll<number>().as('courses'))
    .where('class_id', '=', id)
    .executeTakeFirstOrThrow();
  const isLimited = klass.valid_type === 2;
  return {
    id,
    class_name: klass.class_name,
    cover_image: klass.cover_image,
    created_at: klass.created_at,
    head_teachers: heads.map(({ id: staffId, real_name }) => ({ id: staffId, real_name })),
    teachers,
    students_count: (await studentCounts(db, [id])).get(id) ?? 0,
    courses_count: courses,
    large_class_id: klass.large_class_id ?? 0,
    large_class_name: klass.large_class_name ?? '',
    schedule_image: klass.schedule_image,
    valid_type: isLimited ? 2 : 1,
    valid_time: isLimited ? klass.valid_time : 0,
    group_id: await circleOf(db, id),
    group_hidden: klass.group_hidden,
    is_header_teacher: (await isHeadTeacher(db, actor, id)) ? 1 : 0,
  };
}
