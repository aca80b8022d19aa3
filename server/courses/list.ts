import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { notArchived } from '#server/school/archive.ts';
import type { CourseChoices, CourseFilter, CourseRow } from './contract.ts';
import { courseTypesOf } from './rules.ts';
import { adminCourses, adminLecturers } from './visible.ts';

/** Lists an administrator's courses, newest first. */
export async function coursePage(db: Database, actor: Actor, filter: CourseFilter): Promise<Page<CourseRow>> {
  const { title, type, state } = filter;
  let matching = adminCourses(db, actor);
  for (const field of ['school_id', 'classify_id', 'grade_id', 'subject_id'] as const) {
    const id = filter[field];
    if (id !== undefined) matching = matching.where(`course.${field}`, '=', id);
  }
  if (type !== undefined) {
    const { types, among } = courseTypesOf(type);
    matching = matching.where('course.course_type', among ? 'in' : 'not in', types);
  }
  if (state !== undefined) matching = matching.where('course.put_away_at', state === 'away' ? 'is not' : 'is', null);
  const rows = (found: typeof matching) => courseRows(found).orderBy('course.id', 'desc');
  if (title === undefined) {
    const { list, ...range } = await pageOf(matching, filter, rows(matching));
    return { list: await coursesOf(db, list), ...range };
  }
  const columns = { name: 'course.title', pinyin: 'course.pinyin' };
  const { list, ...range } = await pageByName(matching, columns, title, filter, rows, (row) => row.title);
  return { list: await coursesOf(db, list), ...range };
}

export const courseRows = (courses: ReturnType<typeof adminCourses>) =>
  courses
    .innerJoin('school', 'school.id', 'course.school_id')
    .leftJoin('classify', 'classify.id', 'course.classify_id')
    .leftJoin('grade', 'grade.id', 'course.grade_id')
    .leftJoin('subject', 'subject.id', 'course.subject_id')
    .leftJoin('course as parent', 'parent.id', 'course.parent_id')
    .select([
      'course.id',
      'course.title',
      'course.pinyin',
      'course.course_type',
      'course.school_id',
      'school.org_name as school_name',
      'course.classify_id',
      'classify.name as classify_name',
      'course.grade_id',
      'grade.name as grade_name',
      'course.subject_id',
      'subject.name as subject_name',
      'course.parent_id',
      'parent.title as parent_title',
      'course.put_away_at',
    ]);

type StoredCourse = Omit<Awaited<ReturnType<ReturnType<typeof courseRows>['execute']>>[number], 'pinyin'>;

/** Adds the counts to course rows. */
export async function coursesOf(db: Database, rows: readonly StoredCourse[]): Promise<CourseRow[]> {
  const ids = [0, ...rows.map(({ id }) => id)];
  const [periods, classes, students] = await Promise.all([
    db
      .selectFrom('period')
      .select((eb) => ['course_id', eb.fn.countAll<number>().as('count')])
      .where('course_id', 'in', ids)
      .groupBy('course_id')
      .execute(),
    db
      .selectFrom('class_course')
      .select((eb) => ['course_id', eb.fn.countAll<number>().as('count')])
      .where('course_id', 'in', ids)
      .groupBy('course_id')
      .execute(),
    studentsOf(db, ids),
  ]);
  const of = (counts: readonly { course_id: number; count: number }[]) =>
    new Map(counts.map(({ course_id, count }) => [course_id, count]));
  const [periodsBy, classesBy] = [of(periods), of(classes)];
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    course_type: row.course_type,
    school_id: row.school_id,
    school_name: row.school_name,
    classify_id: row.classify_id,
    classify_name: row.classify_name ?? '',
    grade_id: row.grade_id,
    grade_name: row.grade_name ?? '',
    subject_id: row.subject_id,
    subject_name: row.subject_name ?? '',
    parent_id: row.parent_id,
    parent_title: row.parent_title ?? '',
    put_away_at: row.put_away_at,
    periods: periodsBy.get(row.id) ?? 0,
    classes: classesBy.get(row.id) ?? 0,
    students: students.get(row.id) ?? 0,
  }));
}

/** Counts the current students in the classes of each course; a student in two of them counts once. */
export async function studentsOf(db: Database, courseIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('class_course')
    .innerJoin('class_student', 'class_student.class_id', 'class_course.class_id')
    .select((eb) => ['class_course.course_id', eb.fn.count<number>('class_student.student_id').distinct().as('count')])
    .where('class_course.course_id', 'in', courseIds)
    .where('class_student.left_at', 'is', null)
    .groupBy('class_course.course_id')
    .execute();
  return new Map(rows.map(({ course_id, count }) => [course_id, count]));
}

/** Select options of the course and period forms, without archived entries. */
export async function choicesFor(db: Database, actor: Actor): Promise<CourseChoices> {
  const [schools, classify, grades, subjects, parents, lecturers] = await Promise.all([
    schoolChoices(db, actor),
    db
      .selectFrom('classify')
      .select(['id', 'name', 'parent_id', 'put_away_at'])
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('grade')
      .select(['id', 'name'])
      .where('put_away_at', 'is', null)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('subject')
      .select(['id', 'name'])
      .where('put_away_at', 'is', null)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    adminCourses(db, actor)
      .select(['course.id', 'course.title as name', 'course.school_id'])
      .where('course.parent_id', 'is', null)
      .where('course.put_away_at', 'is', null)
      .orderBy('course.id', 'desc')
      .execute(),
    adminLecturers(db, actor)
      .select(['staff.id', 'staff.real_name as name'])
      .orderBy('staff.real_name')
      .orderBy('staff.id')
      .execute(),
  ]);
  const named = notArchived(classify).map(({ id, name }) => ({ id, name }));
  return { schools, classify: named, grades, subjects, parents, lecturers };
}
