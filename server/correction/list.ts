/** The reports that wait for the actor's review. */

import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { firstReports } from '#server/homework/first-reports.ts';
import { homeworkOf } from '#server/homework/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { pageOf, type RowRange } from '#server/platform/db/page.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { named } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import { classesAssistedBy } from '#server/school/reach.ts';
import type { CorrectionFilter } from './list.contract.ts';
import { homeworkCounts } from './waiting.ts';

/** Submitted reports of homework that is not recalled; for an assistant those of the classes they assist. */
function waitingReports(db: Database, actor: Viewer) {
  const waiting = db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.status', '=', 2)
    .where('homework.status', '=', 1)
    // Of most homework nothing waits: by its counter its reports need not be looked for.
    .where('homework.not_revised_homework_count', '>', 0)
    .where('homework.id', 'in', homeworkOf(db, actor, 'own'));
  return actor.identity === 'assist' ? waiting.where('report.class_id', 'in', classesAssistedBy(db, actor)) : waiting;
}

type Narrowing = Partial<Omit<CorrectionFilter, 'page' | 'limit'>>;

/** Whether a filter asks for nothing but a type of homework, or not even for that: then its statements are built once. */
const isPlain = ({ type: _, page: __, limit: ___, ...others }: CorrectionFilter): boolean =>
  Object.values(others).every((one) => one === undefined || one === '');

interface PlainValues {
  id: number;
  type: NonNullable<CorrectionFilter['type']>;
  [name: string]: number;
}

interface PlainShape {
  identity: Identity;
  isOfType: boolean;
  [name: string]: string | boolean;
}

const plainOf = (actor: Actor, { type }: CorrectionFilter): [PlainValues, PlainShape] => [
  { id: actor.id, type: type ?? 1 },
  { identity: actor.identity, isOfType: type !== undefined },
];

/** As a filter, for statements: it has no dates. */
const filterOf = ({ type }: PlainValues, { isOfType }: PlainShape): [Narrowing, string] => [
  isOfType ? { type } : {},
  '',
];

/** What a filter leaves of the homework; what it belongs to is asked only where the filter names it. */
function narrowing(db: Database, filter: Narrowing, timezone: string) {
  const published = dayRange(filter.publish_start, filter.publish_end, timezone);
  const { hw_id, type, name, course_title, periods_title, publisher_name } = filter;
  return (eb: ExpressionBuilder<Tables, 'homework'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (published.from !== undefined) conditions.push(eb('homework.publish_time', '>=', published.from));
    if (published.until !== undefined) conditions.push(eb('homework.publish_time', '<', published.until));
    if (hw_id !== undefined) conditions.push(eb('homework.id', '=', hw_id));
    if (type !== undefined) conditions.push(eb('homework.type', '=', type));
    if (name) conditions.push(named('homework.name', name));
    if (course_title) {
      const courses = db
        .selectFrom('course')
        .select('course.id')
        .whereRef('course.id', '=', eb.ref('homework.course_id'))
        .where(named('course.title', course_title));
      conditions.push(eb.exists(courses));
    }
    if (periods_title) {
      const periods = db
        .selectFrom('period')
        .select('period.id')
        .whereRef('period.id', '=', eb.ref('homework.period_id'))
        .where(named('period.title', periods_title));
      conditions.push(eb.exists(periods));
    }
    if (publisher_name) {
      const creators = db
        .selectFrom('staff as creator')
        .select('creator.id')
        .whereRef('creator.id', '=', eb.ref('homework.creator_id'))
        .where(named('creator.real_name', publisher_name));
      conditions.push(eb.exists(creators));
    }
    return eb.and(conditions);
  };
}

/** One page, handed in first comes first. */
export async function correctionPage(db: Database, actor: Actor, filter: CorrectionFilter, timezone: string) {
  const { list: ids, ...range } = await reportIds(db, actor, filter, timezone);
  const rows = await rowsOf(db, { listed: JSON.stringify(ids.map(({ id }) => id)) });
  const list = rows.map((row) => ({
    ...row,
    type: row.type,
    submit_time: row.submit_time ?? 0,
    periods_title: row.periods_title ?? '',
  }));
  return { list, ...range };
}

/** Those of one page, in order. */
async function reportIds(db: Database, actor: Actor, filter: CorrectionFilter, timezone: string) {
  if (isPlain(filter)) {
    const [values, shape] = plainOf(actor, filter);
    const [counted] = await countReports(db, values, shape);
    return pageOf(counted?.total ?? 0, filter, (range) => plainIds(db, { ...values, ...range }, shape));
  }
  const { nickname } = filter;
  let query = reportsFound(db, actor, filter, timezone);
  if (nickname) query = query.where((eb) => eb.exists(namedStudent(db, nickname)));
  return pageOf(query, filter, inOrder(query));
}

const reportsFound = (db: Database, actor: Viewer, filter: Narrowing, timezone: string) =>
  waitingReports(db, actor).where(narrowing(db, filter, timezone));

const inOrder = (reports: ReturnType<typeof reportsFound>) =>
  reports.select('report.id').orderBy('report.submit_time').orderBy('report.id');

const countReports = prepared((db, values: PlainValues, shape: PlainShape) =>
  reportsFound(db, { id: values.id, identity: shape.identity }, ...filterOf(values, shape)).select((eb) =>
    eb.fn.countAll<number>().as('total'),
  ),
);

const plainIds = prepared((db, { limit, offset, ...values }: PlainValues & RowRange, shape: PlainShape) =>
  inOrder(reportsFound(db, { id: values.id, identity: shape.identity }, ...filterOf(values, shape)))
    .limit(limit)
    .offset(offset),
);

const rowsOf = prepared((db, { listed }: { listed: string }) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select([
      'report.id as report_id',
      'homework.id as hw_id',
      'student.id as uid',
      'homework.name',
      'student.nickname',
      'report.submit_time',
      'homework.type',
      'course.title as course_title',
      'period.title as periods_title',
      'creator.real_name as publisher_name',
      'homework.publish_time',
    ])
    .where('report.id', 'in', inJsonIds(db, listed))
    .orderBy('report.submit_time')
    .orderBy('report.id'),
);

/** The student of a report, where they are called so. */
const namedStudent = (db: Database, nickname: string) =>
  db
    .selectFrom('student')
    .select('student.id')
    .where(sql<boolean>`student.id = report.student_id`)
    .where(named('student.nickname', nickname));

/** Students that a homework names at once. */
const shownStudents = 5;

/** One page of the homework of which reports wait, the earliest deadline first: read from counters. */
export async function correctionGroupPage(db: Database, actor: Actor, filter: CorrectionFilter, timezone: string) {
  const { nickname } = filter;
  const { list: rows, ...range } = await groupRows(db, actor, filter, timezone);
  const listed = JSON.stringify(rows.map(({ hw_id }) => hw_id));
  const waiting = nickname
    ? await firstWaiting(db, actor, listed, nickname).execute()
    : await firstOfAll(db, { id: actor.id, listed }, actor.identity);
  const list = rows.map((row) => ({
    ...row,
    periods_title: row.periods_title ?? '',
    students: waiting
      .filter(({ homework_id }) => homework_id === row.hw_id)
      .map(({ report_id, uid, nickname, submit_time }) => ({
        report_id,
        uid,
        nickname,
        submit_time: submit_time ?? 0,
      })),
  }));
  return { list, ...range };
}

async function groupRows(db: Database, actor: Actor, filter: CorrectionFilter, timezone: string) {
  if (isPlain(filter)) {
    const [values, shape] = plainOf(actor, filter);
    const [counted] = await countGroups(db, values, shape);
    return pageOf(counted?.total ?? 0, filter, (range) => plainGroups(db, { ...values, ...range }, shape));
  }
  const { nickname } = filter;
  let matching = groupsFound(db, actor, filter, timezone);
  if (nickname) {
    const ofStudent = waitingReports(db, actor)
      .where((eb) => eb.exists(namedStudent(db, nickname)))
      .select('report.homework_id');
    matching = matching.where('homework.id', 'in', ofStudent);
  }
  return pageOf(matching, filter, byDeadline(matching));
}

const groupsFound = (db: Database, actor: Viewer, filter: Narrowing, timezone: string) =>
  db
    .selectFrom('homework')
    .innerJoin(homeworkCounts(db, actor).as('counted'), 'counted.id', 'homework.id')
    .where('counted.waiting', '>', 0)
    .where(narrowing(db, filter, timezone));

const byDeadline = (homework: ReturnType<typeof groupsFound>) =>
  homework
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .select(['homework.id as hw_id', 'homework.name', 'homework.type', 'homework.publish_time'])
    .select(['homework.ending_time', 'course.title as course_title', 'period.title as periods_title'])
    .select(['creator.real_name as publisher_name', 'counted.waiting', 'counted.submitted'])
    .orderBy('homework.ending_time')
    .orderBy('homework.id');

const countGroups = prepared((db, values: PlainValues, shape: PlainShape) =>
  groupsFound(db, { id: values.id, identity: shape.identity }, ...filterOf(values, shape)).select((eb) =>
    eb.fn.countAll<number>().as('total'),
  ),
);

const plainGroups = prepared((db, { limit, offset, ...values }: PlainValues & RowRange, shape: PlainShape) =>
  byDeadline(groupsFound(db, { id: values.id, identity: shape.identity }, ...filterOf(values, shape)))
    .limit(limit)
    .offset(offset),
);

/** The first of those who wait in each homework that is listed as JSON, who are called so where a name is given. */
function firstWaiting(db: Database, actor: Viewer, listed: string, nickname?: string) {
  const first = db
    .selectFrom('report as waiting')
    .select('waiting.id')
    .where('waiting.homework_id', '=', sql.ref<number>('given.id'))
    .where('waiting.status', '=', 2)
    .$if(actor.identity === 'assist', (query) => query.where('waiting.class_id', 'in', classesAssistedBy(db, actor)))
    .$if(nickname !== undefined, (query) =>
      query
        .innerJoin('student as called', 'called.id', 'waiting.student_id')
        .where(named('called.nickname', nickname ?? '')),
    )
    .orderBy('waiting.submit_time')
    .orderBy('waiting.id')
    .limit(shownStudents);
  return firstReports(db, listed, first)
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['report.homework_id', 'report.id as report_id', 'report.submit_time'])
    .select(['student.id as uid', 'student.nickname'])
    .orderBy('report.submit_time')
    .orderBy('report.id');
}

const firstOfAll = prepared((db, { id, listed }: { id: number; listed: string }, identity: Identity) =>
  firstWaiting(db, { id, identity }, listed),
);

/** How many reports wait for the actor: read from the counters, never by counting reports. */
export async function correctionsWaiting(db: Database, actor: Actor): Promise<number> {
  const counters =
    actor.identity === 'assist'
      ? db
          .selectFrom('homework_class')
          .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
          .where('homework_class.class_id', 'in', classesAssistedBy(db, actor))
          .select((eb) => eb.fn.sum<number | null>('homework_class.not_revised_homework_count').as('quantity'))
      : db
          .selectFrom('homework')
          .where('homework.id', 'in', homeworkOf(db, actor, 'own'))
          .select((eb) => eb.fn.sum<number | null>('homework.not_revised_homework_count').as('quantity'));
  const { quantity } = await counters.where('homework.status', '=', 1).executeTakeFirstOrThrow();
  return quantity ?? 0;
}
