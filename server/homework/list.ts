import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { refuseClass } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Person, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { countedPage, type RowRange } from '#server/platform/db/page.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameLike, namePattern } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import type { ClassHomeworkFilter, HomeworkFilter, HomeworkRow } from './contract.ts';
import { recalledStatus } from './rules.ts';
import { visibleHomeworkIds } from './visible.ts';

type HomeworkPage = Page<HomeworkRow>;

/** The school's timezone, and the current time in unix seconds. */
interface Clock {
  timezone: string;
  now: number;
}

/**
 * Which homework is listed. `own`: published or taught by the actor. `courses`: all homework of the actor's courses.
 * `assisted`: homework of the classes that the actor assists. `class`: homework of one class.
 */
type Scope = 'own' | 'courses' | 'assisted' | 'class';

/**
 * Lists one page of the actor's homework, newest first by default. Reads only stored counters, so the cost does not
 * grow with the number of reports. An assistant's counts cover the classes that they assist.
 */
export async function homeworkPage(
  db: Database,
  actor: Actor,
  filter: HomeworkFilter,
  clock: Clock,
): Promise<HomeworkPage> {
  const scope = actor.identity === 'assist' ? 'assisted' : filter.show_other ? 'courses' : 'own';
  return withClassNames(db, actor, await searchPage(db, actor, { filter, clock, scope }));
}

/** Lists the homework of one class, with the class's counts only. 404: the actor has no such class. */
export async function stateClassHomeworkPage(
  db: Database,
  actor: Actor,
  classId: number,
  { filter, ...clock }: { filter: ClassHomeworkFilter } & Clock,
): Promise<HomeworkPage | Refusal> {
  const refusal = await refuseClass(db, actor, classId);
  if (refusal) return refusal;
  return withClassNames(db, actor, await searchPage(db, actor, { filter, clock, scope: 'class', classId }));
}

interface ListRequest {
  filter: ClassHomeworkFilter & Pick<HomeworkFilter, 'course_basis_id'>;
  clock: Clock;
  scope: Scope;
  classId?: number;
}

function searchPage(db: Database, actor: Actor, { filter, clock, scope, classId }: ListRequest) {
  const published = dayRange(filter.publish_start, filter.publish_end, clock.timezone);
  const ending = dayRange(filter.ending_start, filter.ending_end, clock.timezone);
  const pattern = (text: string | undefined) => (text ? namePattern(text) : undefined);
  const values = {
    actorId: actor.id,
    classId,
    publishedFrom: published.from,
    publishedUntil: published.until,
    endingFrom: ending.from,
    endingUntil: ending.until,
    now: filter.state && filter.state !== 'waiting' ? clock.now : undefined,
    type: filter.type,
    courseId: filter.course_basis_id,
    name: pattern(filter.name),
    courseTitle: pattern(filter.course_title),
    periodTitle: pattern(filter.periods_title),
    publisherName: pattern(filter.publisher_name),
  };
  const { state, sort_field, sort = 'desc' } = filter;
  const variant = { identity: actor.identity, scope, state, sort_field, sort };
  return countedPage(filter, (range) => homeworkRows(db, { ...values, ...range }, variant));
}

/** Filter values and the requested rows. Names are LIKE patterns made by `namePattern`. */
interface Values extends RowRange {
  actorId: number;
  classId: number | undefined;
  publishedFrom: number | undefined;
  publishedUntil: number | undefined;
  endingFrom: number | undefined;
  endingUntil: number | undefined;
  now: number | undefined;
  type: 1 | 2 | undefined;
  courseId: number | undefined;
  name: string | undefined;
  courseTitle: string | undefined;
  periodTitle: string | undefined;
  publisherName: string | undefined;
}

interface Variant extends Pick<HomeworkFilter, 'state' | 'sort_field'> {
  identity: Identity;
  scope: Scope;
  sort: 'asc' | 'desc';
}

/** Filters, counts and sorts only ids, with few joins. The other columns are then joined for the rows of the page. */
const homeworkRows = prepared((db, at: Placeholders<Values>, variant: Variant) => {
  const ofPage = matchingHomework(db, at, variant)
    .select(['homework.id', sql<number>`count(*) over ()`.as('total')])
    .select(counters.map(counterColumn(variant)))
    .orderBy(orderOf(variant))
    .limit(at.limit)
    .offset(at.offset);
  return joinedHomework(db)
    .innerJoin(ofPage.as('of_page'), 'of_page.id', 'homework.id')
    .select([
      'homework.id',
      'homework.name',
      'homework.status',
      'homework.type',
      'homework.publish_time',
      'homework.ending_time',
      'homework.publish_type',
      'homework.published_class_count',
      'homework.class_count',
      'homework.creator_id',
      'course.title as course_title',
      'period.title as periods_title',
      'creator.identity as creator_identity',
      'creator.real_name as creator_name',
      'of_page.total',
    ])
    .select(counters.map((counter) => `of_page.${counter}` as const))
    .orderBy(orderOf(variant, 'of_page.'));
});

type FoundRow = Awaited<ReturnType<typeof homeworkRows>>[number];

const counters = ['not_revised_homework_count', 'submitted_homework_count', 'homework_count'] as const;
type Counter = (typeof counters)[number];

const orderOf = ({ sort_field, sort }: Variant, counted = '') => {
  const first = sort_field ? sql`${sql.ref(`${counted}${sort_field}`)} ${sql.raw(sort)},` : sql``;
  return sql`${first} homework.publish_time desc, homework.id desc`;
};

// ---- rows of the list -------------------------------------------------------------------------------

async function withClassNames(
  db: Database,
  actor: Actor,
  { list: found, ...range }: Page<FoundRow>,
): Promise<HomeworkPage> {
  const classNames = await publishedClassNames(
    db,
    actor,
    found.map((row) => row.id),
  );
  // Copies field by field: spreading a row of the database driver costs more than the query.
  const list = found.map((row): HomeworkRow => {
    const byTeacher = row.creator_identity === 'teacher';
    return {
      id: row.id,
      name: row.name,
      status: row.status,
      type: row.type,
      course_title: row.course_title,
      periods_title: row.periods_title ?? '',
      not_revised_homework_count: row.not_revised_homework_count,
      submitted_homework_count: row.submitted_homework_count,
      homework_count: row.homework_count,
      ending_time: row.ending_time,
      publish_time: row.publish_time,
      class_name: (classNames.get(row.id) ?? []).join('、'),
      publish_type: row.publish_type,
      published_class_count: row.published_class_count,
      class_count: row.class_count,
      is_owner: row.creator_id === actor.id ? 1 : 0,
      creator_type: byTeacher ? 1 : 2,
      teacher_name: byTeacher ? row.creator_name : '',
      assistant_name: byTeacher ? '' : row.creator_name,
    };
  });
  return { list, ...range };
}

/** Returns the class names of each homework; for an assistant only the classes that they assist. */
async function publishedClassNames(db: Database, actor: Person, homeworkIds: number[]): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>();
  if (homeworkIds.length === 0) return names;
  const published = await publishedTo(db, { id: actor.id, homework: JSON.stringify(homeworkIds) }, actor.identity);
  for (const { homework_id, name } of published) {
    const known = names.get(homework_id);
    if (known) known.push(name);
    else names.set(homework_id, [name]);
  }
  return names;
}

const publishedTo = prepared(
  (db, { id, homework }: Placeholders<{ id: number; homework: string }>, identity: Identity) =>
    db
      .selectFrom('homework_class')
      .innerJoin('class', 'class.id', 'homework_class.class_id')
      .select(['homework_class.homework_id', 'class.name'])
      .where('homework_class.published_at', 'is not', null)
      .where('homework_class.homework_id', 'in', inJsonIds(db, homework))
      .$if(identity === 'assist', (query) => query.where('class.id', 'in', classesAssistedBy(db, { id, identity })))
      .orderBy('class.id'),
);

type JoinedTables = Tables & {
  creator: Tables['staff'];
  period: { [Column in keyof Tables['period']]: Tables['period'][Column] | null };
  mine: Record<Counter, number> & { homework_id: number };
};
type Matching = SelectQueryBuilder<JoinedTables, 'homework' | 'course' | 'creator' | 'period' | 'mine', object>;

/** True if the counts cover some classes, not the whole homework. */
const areOfClasses = ({ scope }: Variant): boolean => scope === 'assisted' || scope === 'class';

function counterColumn(variant: Variant) {
  const table = areOfClasses(variant) ? 'mine' : 'homework';
  return <C extends Counter>(counter: C) =>
    (eb: ExpressionBuilder<JoinedTables, 'homework' | 'mine'>) =>
      // Recalled homework counts as 0, also for sorting by this column.
      eb
        .case()
        .when('homework.status', '=', recalledStatus)
        .then(eb.lit(0))
        .else(eb.ref(`${table}.${counter}`).$castTo<number>())
        .end()
        .as(counter);
}

const joinedHomework = (db: Database) =>
  db
    .selectFrom('homework')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id');

function matchingHomework(db: Database, at: Placeholders<Values>, variant: Variant): Matching {
  const actor: Viewer = { id: at.actorId, identity: variant.identity };
  // Skips the joins of course, period and publisher unless a filter names one of them: every homework has a course and
  // a publisher anyway.
  const isNamed = at.courseTitle || at.periodTitle || at.publisherName;
  const homework = isNamed ? joinedHomework(db) : db.selectFrom('homework');
  let query = areOfClasses(variant)
    ? (homework.innerJoin(
        at.classId ? countsOfClass(db, at.classId) : countsOfAssisted(db, actor),
        'mine.homework_id',
        'homework.id',
      ) as unknown as Matching)
    : (homework as unknown as Matching);
  if (variant.scope !== 'assisted')
    query = query.where(
      'homework.id',
      'in',
      visibleHomeworkIds(db, actor, variant.scope === 'own' ? 'own' : 'courses'),
    );
  if (at.publishedFrom) query = query.where('homework.publish_time', '>=', at.publishedFrom);
  if (at.publishedUntil) query = query.where('homework.publish_time', '<', at.publishedUntil);
  if (at.endingFrom) query = query.where('homework.ending_time', '>=', at.endingFrom);
  if (at.endingUntil) query = query.where('homework.ending_time', '<', at.endingUntil);
  if (variant.state) query = query.where('homework.status', '!=', recalledStatus);
  if (variant.state === 'waiting')
    query = query.where(`${areOfClasses(variant) ? 'mine' : 'homework'}.not_revised_homework_count`, '>', 0);
  if (at.now) query = query.where('homework.ending_time', variant.state === 'open' ? '>' : '<=', at.now);
  if (at.type) query = query.where('homework.type', '=', at.type);
  if (at.courseId) query = query.where('homework.course_id', '=', at.courseId);
  if (at.name) query = query.where(nameLike('homework.name', at.name));
  if (at.courseTitle) query = query.where(nameLike('course.title', at.courseTitle));
  if (at.periodTitle) query = query.where(nameLike('period.title', at.periodTitle));
  if (at.publisherName) query = query.where(nameLike('creator.real_name', at.publisherName));
  return query;
}

/** Selects the counts of each homework in one class. */
function countsOfClass(db: Database, classId: Operand<number>): ReturnType<typeof countsOfAssisted> {
  return countsOverClasses(db).where('class_id', '=', classId).groupBy('homework_id').as('mine');
}

/** Selects the counts of each homework, summed over the classes that the assistant assists. */
function countsOfAssisted(db: Database, actor: Viewer) {
  return countsOverClasses(db).where('class_id', 'in', classesAssistedBy(db, actor)).groupBy('homework_id').as('mine');
}

const countsOverClasses = (db: Database) =>
  db
    .selectFrom('homework_class')
    .select('homework_id')
    .select((eb) => [
      eb.fn.sum<number>('not_revised_homework_count').as('not_revised_homework_count'),
      eb.fn.sum<number>('submitted_homework_count').as('submitted_homework_count'),
      eb.fn.sum<number>('homework_count').as('homework_count'),
    ])
    .where('published_at', 'is not', null);
