import { sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { ClassCourseRow } from './contract.ts';
import { attendanceCourseTypes, maxTeachersShown } from './rules.ts';
import { refuseClass } from './visible.ts';

/** Lists the courses of a class, oldest first. 404: no such class. */
export async function coursePage(
  db: Database,
  actor: Actor,
  { class_id, page, limit }: { class_id?: number | undefined; page: number; limit: number },
): Promise<Page<ClassCourseRow> | Refusal> {
  const refusal = await refuseClass(db, actor, class_id);
  if (refusal || class_id === undefined) return refusal as Refusal;
  const ofClass = db
    .selectFrom('class_course')
    .innerJoin('course', 'course.id', 'class_course.course_id')
    .where('class_course.class_id', '=', class_id);
  const { list: courses, ...range } = await pageOf(
    ofClass,
    { page, limit },
    ofClass.select(['course.id', 'course.title', 'course.cover_img', 'course.course_type']).orderBy('course.id'),
  );
  const ids = courses.map(({ id }) => id);
  const [lessons, teachers] = await Promise.all([lessonsOf(db, ids), teachersOf(db, ids)]);
  const list = courses.map((course): ClassCourseRow => {
    const { count, start, end } = lessons.get(course.id) ?? { count: 0, start: 0, end: 0 };
    const named = teachers.get(course.id) ?? [];
    return {
      ...course,
      periods_count: count,
      start_play: start,
      end_play: end,
      teachers: named.slice(0, maxTeachersShown),
      teachers_count: named.length,
      is_view_Attendance: hasAttendance(course.course_type, count) ? 1 : 0,
    };
  });
  return { list, ...range };
}

/** True if a course can have attendance: it must have periods and be of a type that takes attendance. */
export const hasAttendance = (courseType: number, lessons: number): boolean =>
  attendanceCourseTypes.includes(courseType) && lessons > 0;

async function lessonsOf(db: Database, courseIds: number[]) {
  if (courseIds.length === 0) return new Map<number, { count: number; start: number; end: number }>();
  const rows = await db
    .selectFrom('period')
    .select((eb) => [
      'course_id',
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('start_play').as('start'),
      sql<number>`max(start_play + total_time)`.as('end'),
    ])
    .where('course_id', 'in', courseIds)
    .groupBy('course_id')
    .execute();
  return new Map(rows.map(({ course_id, ...lessons }) => [course_id, lessons]));
}

/** Returns the lecturers of each course, ordered by the first period they teach. */
async function teachersOf(db: Database, courseIds: number[]) {
  const byCourse = new Map<number, { id: number; real_name: string }[]>();
  if (courseIds.length === 0) return byCourse;
  const rows = await db
    .selectFrom('period')
    .innerJoin('staff', 'staff.id', 'period.lecturer_id')
    .select(['period.course_id', 'staff.id', 'staff.real_name'])
    .where('period.course_id', 'in', courseIds)
    .groupBy(['period.course_id', 'staff.id', 'staff.real_name'])
    .orderBy((eb) => eb.fn.min('period.sort'))
    .orderBy('staff.id')
    .execute();
  for (const { course_id, ...teacher } of rows) {
    const known = byCourse.get(course_id);
    if (known) known.push(teacher);
    else byCourse.set(course_id, [teacher]);
  }
  return byCourse;
}
