import { type SelectQueryBuilder, sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { classesHeadedBy, dutiesOf } from '#server/school/staff-duties.ts';
import type { ClassFilter, ClassRow } from './contract.ts';
import { classTypes, isRunning } from './rules.ts';
import { visibleClasses, visibleClassesOneByOne } from './visible.ts';

/** Lists the visible classes, newest first. Students are only counted for the classes on the page. */
export async function classPage(db: Database, actor: Actor, filter: ClassFilter, now: number): Promise<Page<ClassRow>> {
  const { classes, order, met = classes } = chooseClassQuery(db, actor, filter.only_mine === 1);
  const total = await countOf(filterClasses(classes, filter));
  const { list: rows, ...range } = await pageOf(total, filter, ({ limit, offset }) =>
    filterClasses((offset + limit) * manyPages <= total ? met : classes, filter)
      .leftJoin('grade', 'grade.id', 'class.grade_id')
      .leftJoin('classify', 'classify.id', 'class.classify_id')
      .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
      .select([
        'class.id',
        'class.name',
        'class.schedule_image',
        'class.valid_type',
        'class.valid_time',
        'grade.name as grade_name',
        'classify.name as classify_name',
        'large_class.id as large_class_id',
        'large_class.name as large_class_name',
      ])
      .orderBy(sql.ref(order), 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  );
  const counts = await studentCounts(
    db,
    rows.map(({ id }) => id),
  );
  const list = rows.map(
    (row): ClassRow => ({
      id: row.id,
      name: row.name,
      schedule_image: row.schedule_image,
      grade_name: row.grade_name ?? '',
      classify_name: row.classify_name ?? '',
      students_count: counts.get(row.id) ?? 0,
      is_processing: isRunning(row, now) ? 1 : 0,
      large_class_id: row.large_class_id ?? 0,
      large_class_name: row.large_class_name ?? '',
      valid_type: row.valid_type === 2 ? 2 : 1,
      valid_time: row.valid_type === 2 ? row.valid_time : 0,
    }),
  );
  return { list, ...range };
}

type ClassQuery = SelectQueryBuilder<Tables, 'class', object>;

/**
 * For a page in the first tenth of the list, walking the classes in order and testing each one is faster than an `in`
 * subquery.
 */
const manyPages = 10;

function filterClasses(classes: ClassQuery, { name, classify_id, grade_id }: ClassFilter): ClassQuery {
  let matching = classes;
  if (name) matching = matching.where(nameContains('class.name', name));
  if (classify_id !== undefined) matching = matching.where('class.classify_id', '=', classify_id);
  if (grade_id !== undefined) matching = matching.where('class.grade_id', '=', grade_id);
  return matching;
}

/**
 * Chooses the query and its order column. If the user sees classes through one kind of duty only, the query walks the
 * index of duties, so that a lecturer of thousands of classes gets a page as fast as one of twenty. `met`: the same
 * classes, tested one by one.
 */
function chooseClassQuery(
  db: Database,
  actor: Actor,
  onlyHeaded: boolean,
): { classes: ClassQuery; order: string; met?: ClassQuery } {
  const isAssistant = actor.identity === 'assist';
  // A lecturer can see a class for two reasons, as its head teacher or because they teach a period, so one index is not
  // enough.
  if (isAssistant === onlyHeaded) {
    const seen = visibleClasses(db, actor) as ClassQuery;
    const order = 'class.id';
    return onlyHeaded
      ? { classes: seen.where('class.id', 'in', classesHeadedBy(db, actor)), order }
      : { classes: seen, order, met: visibleClassesOneByOne(db, actor) as ClassQuery };
  }
  const classes = dutiesOf(db, actor, isAssistant ? 'assistant' : 'head')
    .innerJoin('class', 'class.id', 'class_staff.class_id')
    .where('class.class_type', '=', classTypes.stateSchool) as unknown as ClassQuery;
  return { classes, order: 'class_staff.class_id' };
}

/** Counts the current students of each class; the map lacks classes without students. */
export async function studentCounts(db: Database, classIds: readonly number[]): Promise<Map<number, number>> {
  if (classIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('class_student')
    .select(['class_id', (eb) => eb.fn.countAll<number>().as('students')])
    .where('class_id', 'in', classIds)
    .where('left_at', 'is', null)
    .groupBy('class_id')
    .execute();
  return new Map(rows.map(({ class_id, students }) => [class_id, students]));
}

export async function largeClasses(db: Database, actor: Actor): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('large_class')
    .select(['large_class.id', 'large_class.name'])
    .where('large_class.id', 'in', (eb) =>
      eb
        .selectFrom(visibleClasses(db, actor).select('class.large_class_id').as('seen'))
        .select(sql<number>`seen.large_class_id`.as('id'))
        .where(sql`seen.large_class_id`, 'is not', null),
    )
    .orderBy('large_class.id')
    .execute();
}
