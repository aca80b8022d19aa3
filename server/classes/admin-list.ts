import { type ExpressionBuilder, sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { schoolChoices, schoolsOf } from '#server/school/admin-schools.ts';
import { dayOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { dutiesOf, staffOnDuty } from '#server/school/staff-duties.ts';
import type { AdminClass, AllClassesFilter } from './admin.contract.ts';
import { studentCounts } from './list.ts';
import { type ClassState, classTypes } from './rules.ts';
import { openTerms } from './terms.ts';
import { adminClasses } from './visible.ts';

/** Lists the classes of an administrator's schools, newest first by default. */
export async function allClassesPage(
  db: Database,
  actor: Actor,
  filter: AllClassesFilter,
  now: number,
): Promise<Page<AdminClass>> {
  const { class_type, state, course_id, school_id, head_id, grade_id, large_class_id } = filter;
  let matching = adminClasses(db, actor);
  if (class_type !== undefined) matching = matching.where('class.class_type', '=', class_type);
  if (school_id !== undefined) matching = matching.where('class.school_id', '=', school_id);
  if (grade_id !== undefined) matching = matching.where('class.grade_id', '=', grade_id);
  if (large_class_id !== undefined) matching = matching.where('class.large_class_id', '=', large_class_id);
  if (course_id !== undefined) {
    matching = matching.where('class.id', 'in', (eb) =>
      eb.selectFrom('class_course').select('class_course.class_id').where('class_course.course_id', '=', course_id),
    );
  }
  if (head_id !== undefined) {
    matching = matching.where('class.id', 'in', dutiesOf(db, { id: head_id }, 'head').select('class_staff.class_id'));
  }
  if (state !== undefined) matching = matching.where((eb) => hasState(eb, state, now));
  const { sort_field = 'created_at', sort = sort_field === 'name' ? 'asc' : 'desc' } = filter;
  const inOrder = (found: typeof matching) =>
    classRows(found, now)
      .orderBy(sort_field === 'name' ? 'class.name' : 'class.created_at', sort)
      .orderBy('class.id', sort);
  const { list, ...range } =
    filter.name === undefined
      ? await pageOf(matching, filter, inOrder(matching))
      : await pageByName(
          matching,
          { name: 'class.name', pinyin: 'class.pinyin' },
          filter.name,
          filter,
          (found) => inOrder(found as typeof matching).select('class.pinyin'),
          ({ name }) => name,
        );
  return { list: await classesOf(db, list), ...range };
}

type Classes = ReturnType<typeof adminClasses>;

export const classRows = (classes: Classes, now: number) =>
  classes
    .innerJoin('school', 'school.id', 'class.school_id')
    .leftJoin('grade', 'grade.id', 'class.grade_id')
    .leftJoin('classify', 'classify.id', 'class.classify_id')
    .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
    .select([
      'class.id',
      'class.name',
      'class.class_type',
      'class.school_id',
      'school.org_name as school_name',
      'class.grade_id',
      'grade.name as grade_name',
      'class.classify_id',
      'classify.name as classify_name',
      'class.large_class_id',
      'large_class.name as large_class_name',
      'class.valid_type',
      'class.valid_time',
      'class.group_hidden',
      'class.schedule_image',
      'class.created_at',
    ])
    .select((eb) =>
      eb
        .case()
        .when(hasState(eb as unknown as ClassBuilder, 'ended', now))
        .then<ClassState>('ended')
        .when(hasState(eb as unknown as ClassBuilder, 'coming', now))
        .then<ClassState>('coming')
        .else<ClassState>('running')
        .end()
        .as('state'),
    );

type ClassBuilder = ExpressionBuilder<Tables, 'class'>;

/**
 * Condition for a class's state. Ended: its validity is over, or it was ended by hand. Coming: its first lesson is in
 * the future; for a state-school class, the first period of its courses.
 */
export function hasState(eb: ClassBuilder, state: ClassState, now: number) {
  const ended = eb.or([
    eb.and([eb('class.valid_type', '=', 2), eb('class.valid_time', '<=', now)]),
    eb.exists(
      eb
        .selectFrom('team_class')
        .select('team_class.class_id')
        .whereRef('team_class.class_id', '=', 'class.id')
        .where('team_class.ended_at', '<=', now),
    ),
  ]);
  if (state === 'ended') return ended;
  const periods = eb
    .selectFrom('class_course')
    .innerJoin('period', 'period.course_id', 'class_course.course_id')
    .select('period.id')
    .whereRef('class_course.class_id', '=', 'class.id');
  const coming = eb.or([
    eb.exists(
      eb
        .selectFrom('team_class')
        .select('team_class.class_id')
        .whereRef('team_class.class_id', '=', 'class.id')
        .where('team_class.start_time', '>', now),
    ),
    eb.and([
      eb('class.class_type', '=', classTypes.stateSchool),
      eb.exists(periods.where('period.start_play', '>', now)),
      eb.not(eb.exists(periods.where('period.start_play', '<=', now))),
    ]),
  ]);
  return state === 'coming' ? eb.and([eb.not(ended), coming]) : eb.and([eb.not(ended), eb.not(coming)]);
}

export type StoredClass = Awaited<ReturnType<ReturnType<typeof classRows>['execute']>>[number];

/** Adds staff names and counts to class rows. */
async function classesOf(db: Database, rows: readonly StoredClass[]): Promise<AdminClass[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [students, courses, heads, assistants] = await Promise.all([
    studentCounts(db, ids),
    db
      .selectFrom('class_course')
      .select(['class_id', (eb) => eb.fn.countAll<number>().as('courses')])
      .where('class_id', 'in', ids)
      .groupBy('class_id')
      .execute(),
    staffOnDuty(db, 'head', ids).execute(),
    staffOnDuty(db, 'assistant', ids).execute(),
  ]);
  const namesIn = (people: typeof heads, id: number) =>
    people.filter(({ class_id }) => class_id === id).map(({ real_name }) => real_name);
  return rows.map((row) => ({
    ...toClassFields(row),
    heads: namesIn(heads, row.id),
    assistants: namesIn(assistants, row.id),
    students_count: students.get(row.id) ?? 0,
    courses_count: courses.find(({ class_id }) => class_id === row.id)?.courses ?? 0,
  }));
}

/** Converts the stored columns that need no further query. */
export const toClassFields = (row: StoredClass) => ({
  id: row.id,
  name: row.name,
  class_type: row.class_type,
  school_id: row.school_id,
  school_name: row.school_name,
  grade_name: row.grade_name ?? '',
  classify_name: row.classify_name ?? '',
  large_class_name: row.large_class_name ?? '',
  state: row.state,
  valid_type: row.valid_type === 2 ? (2 as const) : (1 as const),
  valid_time: row.valid_type === 2 ? row.valid_time : 0,
  created_at: row.created_at,
});

/** Name of a member of staff, with the user name added if another person has the same name. */
const toldApart = sql<string>`case when exists (
  select 1 from staff as namesake where namesake.real_name = staff.real_name and namesake.id <> staff.id
) then staff.real_name || '（' || staff.username || '）' else staff.real_name end`;

/** Select options of the class forms. */
export async function optionsFor({ db, actor, now, settings }: RuleContext<'actor' | 'now' | 'settings'>) {
  const schools = schoolsOf(db, actor);
  const people = (identity: 'teacher' | 'assist') =>
    db
      .selectFrom('staff')
      .select(['staff.id', toldApart.as('name'), 'staff.school_id'])
      .where('staff.identity', '=', identity)
      .where('staff.disabled_at', 'is', null)
      .where('staff.school_id', 'in', schools)
      .orderBy('staff.real_name')
      .orderBy('staff.id')
      .execute();
  const [named, grades, classifies, subjects, lecturers, assistants, courses, rooms, large_classes] = await Promise.all(
    [
      schoolChoices(db, actor),
      db.selectFrom('grade').select(['id', 'name', 'put_away_at']).orderBy('sort').orderBy('id').execute(),
      db.selectFrom('classify').select(['id', 'name', 'put_away_at']).orderBy('sort').orderBy('id').execute(),
      db.selectFrom('subject').select(['id', 'name', 'put_away_at']).orderBy('sort').orderBy('id').execute(),
      people('teacher'),
      people('assist'),
      db
        .selectFrom('course')
        .leftJoin('course as parent', 'parent.id', 'course.parent_id')
        .select(['course.id', 'course.title', 'parent.title as group', 'course.school_id'])
        .where('course.school_id', 'in', schools)
        .where('course.put_away_at', 'is', null)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb.selectFrom('course as child').select('child.id').whereRef('child.parent_id', '=', 'course.id'),
            ),
          ),
        )
        .orderBy('course.id', 'desc')
        .execute(),
      db
        .selectFrom('room')
        .select(['room.id', 'room.name', 'room.school_id', 'room.put_away_at'])
        .where('room.school_id', 'in', schools)
        .orderBy('room.id')
        .execute(),
      db
        .selectFrom('large_class')
        .select(['large_class.id', 'large_class.name', 'large_class.school_id'])
        .where('large_class.school_id', 'in', schools)
        .orderBy('large_class.id')
        .execute(),
    ],
  );
  return {
    terms: await openTerms(db, dayOf(now, settings.timezone)),
    schools: named,
    grades: entryOptions(grades),
    classifies: entryOptions(classifies),
    subjects: entryOptions(subjects),
    lecturers,
    assistants,
    courses: courses.map(({ group, title, ...course }) => ({
      ...course,
      name: group === null ? title : `${group} / ${title}`,
    })),
    rooms: entryOptions(rooms),
    large_classes,
  };
}

/**
 * Select options of catalogue entries. Archived entries come last and are marked in their name, because a class may
 * still have one.
 */
function entryOptions<Entry extends { name: string; put_away_at: number | null }>(entries: readonly Entry[]) {
  const isAway = ({ put_away_at }: Entry) => put_away_at !== null;
  return [...entries.filter((one) => !isAway(one)), ...entries.filter(isAway)].map(({ put_away_at, ...entry }) => ({
    ...entry,
    name: put_away_at === null ? entry.name : `${entry.name}（已停用）`,
  }));
}
