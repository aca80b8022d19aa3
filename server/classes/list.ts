import { type SelectQueryBuilder, sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { named } from '#server/platform/db/search.ts';
import { classesHeadedBy, dutiesOf } from '#server/school/reach.ts';
import type { ClassFilter, ClassRow } from './contract.ts';
import { classTypes, isRunning } from './rules.ts';
import { metClasses, visibleClasses } from './visible.ts';

/**
 * One page of the classes that the actor sees, the newest first. Students are counted for the rows of the page alone.
 */
export async function classPage(db: Database, actor: Actor, filter: ClassFilter, now: number): Promise<Page<ClassRow>> {
  const { classes, order, met = classes } = listed(db, actor, filter.only_mine === 1);
  const total = await countOf(narrowed(classes, filter));
  const { list: rows, ...range } = await pageOf(total, filter, ({ limit, offset }) =>
    narrowed((offset + limit) * manyPages <= total ? met : classes, filter)
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

/** Of so many pages the first ones are met before long by looking at one class after the other. */
const manyPages = 10;

function narrowed(classes: ClassQuery, { name, classify_id, grade_id }: ClassFilter): ClassQuery {
  let matching = classes;
  if (name) matching = matching.where(named('class.name', name));
  if (classify_id !== undefined) matching = matching.where('class.classify_id', '=', classify_id);
  if (grade_id !== undefined) matching = matching.where('class.grade_id', '=', grade_id);
  return matching;
}

/**
 * What is listed, and the column that orders it. What a person sees by their duty alone, which is what the screen shows
 * first, is walked along the index of duties: a page of thousands costs what a page of twenty does. `met`: the same classes,
 * to be walked along themselves.
 */
function listed(
  db: Database,
  actor: Actor,
  onlyHeaded: boolean,
): { classes: ClassQuery; order: string; met?: ClassQuery } {
  const isAssistant = actor.identity === 'assist';
  // By two duties, or by the lessons that a lecturer gives.
  if (isAssistant === onlyHeaded) {
    const seen = visibleClasses(db, actor) as ClassQuery;
    const order = 'class.id';
    return onlyHeaded
      ? { classes: seen.where('class.id', 'in', classesHeadedBy(db, actor)), order }
      : { classes: seen, order, met: metClasses(db, actor) as ClassQuery };
  }
  const classes = dutiesOf(db, actor, isAssistant ? 'assistant' : 'head')
    .innerJoin('class', 'class.id', 'class_staff.class_id')
    .where('class.class_type', '=', classTypes.stateSchool) as unknown as ClassQuery;
  return { classes, order: 'class_staff.class_id' };
}

/** How many students are in each class now; a class without any is left out. */
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
