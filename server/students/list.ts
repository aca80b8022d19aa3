import { sql } from 'kysely';
import { classTypes } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import { studentMatches } from '#server/school/student-search.ts';
import type { ClassChoice, StudentFilter, StudentRow } from './contract.ts';

type RequestContext = RuleContext<'actor'>;

/** Lists the students of an administrator's schools, newest first by default. */
export async function studentPage({ db, actor }: RequestContext, filter: StudentFilter): Promise<Page<StudentRow>> {
  const { name, class_name, grade_id, school_id, state, sort_field, sort = 'asc' } = filter;
  let matching = adminStudents(db, actor);
  if (school_id !== undefined) matching = matching.where('student.school_id', '=', school_id);
  if (state) matching = matching.where('student.disabled_at', state === 'disabled' ? 'is not' : 'is', null);
  const inClasses = db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .select('class_student.student_id')
    .where('class_student.left_at', 'is', null);
  if (state === 'unplaced') {
    const placed = db.selectFrom('class_student').select('student_id').where('left_at', 'is', null);
    matching = matching.where('student.id', 'not in', placed);
  }
  if (grade_id !== undefined)
    matching = matching.where('student.id', 'in', inClasses.where('class.grade_id', '=', grade_id));
  if (class_name !== undefined) {
    matching = matching.where('student.id', 'in', inClasses.where(nameContains('class.name', class_name)));
  }
  if (name !== undefined) matching = matching.where(await studentMatches(matching, name));
  const column = { nickname: 'student.pinyin', number: 'student.number', created_at: 'student.created_at' } as const;
  const rows = studentRows(matching);
  const sorted = sort_field ? rows.orderBy(column[sort_field], sort) : rows;
  const { list, ...range } = await pageOf(matching, filter, sorted.orderBy('student.id', 'desc'));
  return { list: await addClassesToRows(db, list), ...range };
}

/** Selects the stored columns of a student row. */
export const studentRows = (students: ReturnType<typeof adminStudents>) =>
  students
    .innerJoin('school', 'school.id', 'student.school_id')
    .select([
      'student.id',
      'student.nickname',
      'student.number',
      'student.mobile',
      'student.guardian_mobile',
      'student.school_id',
      'school.org_name as school_name',
      'student.disabled_at',
      'student.erased_at',
      'student.created_at',
    ]);

type StoredStudent = Awaited<ReturnType<ReturnType<typeof studentRows>['execute']>>[number];

export async function addClassesToRows(db: Database, rows: readonly StoredStudent[]): Promise<StudentRow[]> {
  const ids = rows.map(({ id }) => id);
  const stays =
    ids.length === 0
      ? []
      : await db
          .selectFrom('class_student')
          .innerJoin('class', 'class.id', 'class_student.class_id')
          .select(['class_student.student_id', 'class.id', 'class.name'])
          .where('class_student.student_id', 'in', ids)
          .where('class_student.left_at', 'is', null)
          .orderBy('class.id')
          .execute();
  return rows.map(({ disabled_at, erased_at, ...row }) => ({
    ...row,
    is_disabled: disabled_at === null ? 0 : 1,
    is_erased: erased_at === null ? 0 : 1,
    classes: stays.filter(({ student_id }) => student_id === row.id).map(({ id, name }) => ({ id, name })),
  }));
}

export async function loadStudentChoices({ db, actor }: RequestContext) {
  const [schools, grades] = await Promise.all([
    schoolChoices(db, actor),
    db.selectFrom('grade').select(['id', 'name']).orderBy('sort').orderBy('id').execute(),
  ]);
  return { schools, grades };
}

/** Lists classes that students can join, newest first. Leaves out one-to-one classes that have a student already. */
export async function classChoices(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  { name, ...paging }: Paging & { name?: string | undefined },
): Promise<Page<ClassChoice>> {
  const present = db
    .selectFrom('class_student')
    .select((eb) => eb.fn.countAll<number>().as('present'))
    .where('class_student.class_id', '=', sql.ref<number>('class.id'))
    .where('class_student.left_at', 'is', null);
  const ended = db.selectFrom('team_class').select('class_id').where('ended_at', '<=', now);
  let classes = adminClasses(db, actor).where((eb) =>
    eb.and([
      eb.or([eb('class.valid_type', '!=', 2), eb('class.valid_time', '>', now)]),
      eb.or([eb('class.class_type', '!=', classTypes.oneToOne), eb(present, '=', 0)]),
      eb('class.id', 'not in', ended),
    ]),
  );
  if (name !== undefined) classes = classes.where(nameContains('class.name', name));
  return pageOf(
    classes,
    paging,
    classes
      .innerJoin('school', 'school.id', 'class.school_id')
      .select(['class.id', 'class.name', 'school.org_name as school_name', 'class.class_type'])
      .select(present.$asScalar().$notNull().as('present'))
      .orderBy('class.id', 'desc'),
  );
}
