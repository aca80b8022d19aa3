import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import * as v from 'valibot';
import { refuseClass } from '#server/classes/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { countedPage, type Paging, type RowRange } from '#server/platform/db/page.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { named } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import { classesAssistedBy } from '#server/school/reach.ts';
import { type ClassHomeworkFilter, HomeworkFilter, type HomeworkRow } from './contract.ts';
import { recalled } from './rules.ts';
import { homeworkOf } from './visible.ts';

type HomeworkPage = Page<HomeworkRow>;

/** The school's zone, and unix seconds. */
interface Clock {
  timezone: string;
  now: number;
}

/**
 * One page of the homework that the actor sees, newest first unless sorted. Costs the same over ten thousand and
 * ten million reports: only counters are read. An assistant's counts are those of the classes they assist.
 */
export async function homeworkPage(
  db: Database,
  actor: Actor,
  filter: HomeworkFilter,
  clock: Clock,
): Promise<HomeworkPage> {
  const found = isPlain(filter)
    ? plainPage(db, actor, filter)
    : seenHomework(db, actor, { filter, clock, seen: scopeOf(db, actor, filter) });
  return withClassNames(db, actor, await found);
}

/**
 * The same of one class: the homework of it that the actor sees, with the counts of that class.
 * Refused: 404 not a class of the actor.
 */
export async function stateClassHomeworkPage(
  db: Database,
  actor: Actor,
  classId: number,
  { filter, ...clock }: { filter: ClassHomeworkFilter } & Clock,
): Promise<HomeworkPage | Refusal> {
  const refusal = await refuseClass(db, actor, classId);
  if (refusal) return refusal;
  const all = { ...filter, course_basis_id: undefined, show_other: undefined };
  const seen: ListScope = { counts: countsOfClass(db, classId), reach: 'courses' };
  return withClassNames(db, actor, await seenHomework(db, actor, { filter: all, clock, seen }));
}

function scopeOf(db: Database, actor: Viewer, { show_other }: Pick<HomeworkFilter, 'show_other'>): ListScope {
  if (actor.identity === 'assist') return { counts: countsOfAssisted(db, actor) };
  return { reach: show_other ? 'courses' : 'own' };
}

/** What is listed: homework within reach of the actor, homework that these counts are of, or both. */
interface ListScope {
  counts?: ReturnType<typeof countsOfAssisted>;
  reach?: 'own' | 'courses';
}

interface ListRequest {
  filter: HomeworkFilter;
  clock: Clock;
  seen: ListScope;
}

const seenHomework = (db: Database, actor: Viewer, request: ListRequest) =>
  countedPage(request.filter, (range) => homeworkRows(db, actor, { ...request, ...range }).execute());

function matchingHomework(db: Database, actor: Viewer, request: ListRequest): Matching {
  const { course_title, periods_title, publisher_name } = request.filter;
  const isNamed = course_title || periods_title || publisher_name;
  // Every homework has a course and a publisher: what names none of them is found without.
  return withFilters(isNamed ? joinedHomework(db) : db.selectFrom('homework'), db, actor, request);
}

/**
 * Found, counted and sorted by as little as it takes; what else is said of a homework is looked up for the rows of the
 * page alone.
 */
function homeworkRows(db: Database, actor: Viewer, { limit, offset, ...request }: ListRequest & RowRange) {
  const { filter, seen } = request;
  const counted = countsOf(seen);
  let found = matchingHomework(db, actor, request).select([
    'homework.id',
    counted('not_revised_homework_count'),
    counted('submitted_homework_count'),
    counted('homework_count'),
    sql<number>`count(*) over ()`.as('total'),
  ]);
  if (filter.sort_field) found = found.orderBy(sql.ref(filter.sort_field), filter.sort ?? 'desc');
  const ofPage = found
    .orderBy('homework.publish_time', 'desc')
    .orderBy('homework.id', 'desc')
    .limit(limit)
    .offset(offset);
  let rows = joinedHomework(db)
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
      'of_page.not_revised_homework_count',
      'of_page.submitted_homework_count',
      'of_page.homework_count',
      'of_page.total',
    ]);
  if (filter.sort_field) rows = rows.orderBy(sql.ref(`of_page.${filter.sort_field}`), filter.sort ?? 'desc');
  return rows.orderBy('homework.publish_time', 'desc').orderBy('homework.id', 'desc');
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof homeworkRows>['execute']>>[number];

// ---- as it is mostly asked for: nothing narrows the list, and time alone orders it ------------------

const nothing = v.parse(HomeworkFilter, {});
const isPlain = ({ page: _page, limit: _limit, sort: _sort, ...narrowing }: HomeworkFilter) =>
  Object.values(narrowing).every((value) => !value);

const plainRequest = (db: Database, actor: Viewer): ListRequest => ({
  filter: nothing,
  // Asked by filters alone.
  clock: { timezone: 'UTC', now: 0 },
  seen: scopeOf(db, actor, nothing),
});

const plainRows = prepared((db, { id, limit, offset }: Record<'id' | 'limit' | 'offset', number>, identity: Identity) =>
  homeworkRows(db, { id, identity }, { ...plainRequest(db, { id, identity }), limit, offset }),
);

const plainPage = (db: Database, { id, identity }: Viewer, paging: Paging) =>
  countedPage(paging, (range) => plainRows(db, { id, ...range }, identity));

// ---- what is said of each ---------------------------------------------------------------------------

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
  // Field by field: spreading a row of the driver costs more than the query.
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

/** Names of the classes that each homework was published to; for an assistant those that they look after. */
async function publishedClassNames(db: Database, actor: Viewer, homeworkIds: number[]): Promise<Map<number, string[]>> {
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

const publishedTo = prepared((db, { id, homework }: { id: number; homework: string }, identity: Identity) =>
  db
    .selectFrom('homework_class')
    .innerJoin('class', 'class.id', 'homework_class.class_id')
    .select(['homework_class.homework_id', 'class.name'])
    .where('homework_class.published_at', 'is not', null)
    .where('homework_class.homework_id', 'in', inJsonIds(db, homework))
    .$if(identity === 'assist', (query) => query.where('class.id', 'in', classesAssistedBy(db, { id, identity })))
    .orderBy('class.id'),
);

type Joined = Tables & {
  creator: Tables['staff'];
  period: { [Column in keyof Tables['period']]: Tables['period'][Column] | null };
  mine: Record<Counter, number> & { homework_id: number };
};
type Counter = 'not_revised_homework_count' | 'submitted_homework_count' | 'homework_count';
type Matching = SelectQueryBuilder<Joined, 'homework' | 'course' | 'creator' | 'period' | 'mine', object>;

function countsOf(seen: ListScope) {
  return <C extends Counter>(counter: C) =>
    (eb: ExpressionBuilder<Joined, 'homework' | 'mine'>) =>
      // What was recalled counts nowhere, and is sorted as if nothing had ever been handed in.
      eb
        .case()
        .when('homework.status', '=', recalled)
        .then(eb.lit(0))
        .else(eb.ref(seen.counts ? `mine.${counter}` : `homework.${counter}`).$castTo<number>())
        .end()
        .as(counter);
}

const joinedHomework = (db: Database) =>
  db
    .selectFrom('homework')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id');

function withFilters(
  homework: SelectQueryBuilder<Tables, 'homework', object>,
  db: Database,
  actor: Viewer,
  { filter, clock: { timezone, now }, seen: { counts, reach } }: ListRequest,
): Matching {
  const published = dayRange(filter.publish_start, filter.publish_end, timezone);
  const ending = dayRange(filter.ending_start, filter.ending_end, timezone);
  let query = homework
    .$if(counts !== undefined, (joined) =>
      joined.innerJoin(counts as NonNullable<typeof counts>, 'mine.homework_id', 'homework.id'),
    )
    .$if(reach !== undefined, (joined) =>
      joined.where('homework.id', 'in', homeworkOf(db, actor, reach)),
    ) as unknown as Matching;
  if (published.from !== undefined) query = query.where('homework.publish_time', '>=', published.from);
  if (published.until !== undefined) query = query.where('homework.publish_time', '<', published.until);
  if (ending.from !== undefined) query = query.where('homework.ending_time', '>=', ending.from);
  if (ending.until !== undefined) query = query.where('homework.ending_time', '<', ending.until);
  if (filter.state) {
    query = query.where('homework.status', '!=', recalled);
    const waiting = counts ? 'mine.not_revised_homework_count' : 'homework.not_revised_homework_count';
    if (filter.state === 'waiting') query = query.where(waiting, '>', 0);
    else query = query.where('homework.ending_time', filter.state === 'open' ? '>' : '<=', now);
  }
  if (filter.type !== undefined) query = query.where('homework.type', '=', filter.type);
  if (filter.course_basis_id !== undefined) query = query.where('homework.course_id', '=', filter.course_basis_id);
  if (filter.name) query = query.where(named('homework.name', filter.name));
  if (filter.course_title) query = query.where(named('course.title', filter.course_title));
  if (filter.periods_title) query = query.where(named('period.title', filter.periods_title));
  if (filter.publisher_name) query = query.where(named('creator.real_name', filter.publisher_name));
  return query;
}

/** For each homework that was published to the class the counts of it. */
function countsOfClass(db: Database, classId: number): ReturnType<typeof countsOfAssisted> {
  return countsOverClasses(db).where('class_id', '=', classId).groupBy('homework_id').as('mine');
}

/** For each homework of the assistant's classes the sums over those classes. */
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
