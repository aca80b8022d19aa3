/** Lists reports that the actor can grade. */

import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { firstReports } from '#server/homework/first-reports.ts';
import { visibleHomeworkIds } from '#server/homework/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { pageOf, type RowRange } from '#server/platform/db/page.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameLike, namePattern } from '#server/platform/db/search.ts';
import { dayRange } from '#server/school/calendar.ts';
import { classesAssistedBy } from '#server/school/staff-duties.ts';
import type { GradingFilter } from './list.contract.ts';
import { homeworkCounts } from './pending-counts.ts';

/**
 * Selects ungraded reports of homework that is not recalled. An assistant gets the reports of the classes that they
 * assist.
 */
function waitingReports(db: Database, actor: Viewer) {
  const waiting = db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.status', '=', 2)
    .where('homework.status', '=', 1)
    // Skips homework whose counter of ungraded reports is 0 (most homework) without reading its reports.
    .where('homework.not_revised_homework_count', '>', 0)
    .where('homework.id', 'in', visibleHomeworkIds(db, actor, 'own'));
  return actor.identity === 'assist' ? waiting.where('report.class_id', 'in', classesAssistedBy(db, actor)) : waiting;
}

/** Filter values. Names are LIKE patterns made by `namePattern`. */
interface FilterValues {
  actorId: number;
  homeworkId: number | undefined;
  type: 1 | 2 | undefined;
  publishedFrom: number | undefined;
  publishedUntil: number | undefined;
  name: string | undefined;
  courseTitle: string | undefined;
  periodTitle: string | undefined;
  publisherName: string | undefined;
  nickname: string | undefined;
}

function valuesOf(actor: Actor, filter: GradingFilter, timezone: string): FilterValues {
  const published = dayRange(filter.publish_start, filter.publish_end, timezone);
  const pattern = (text: string | undefined) => (text ? namePattern(text) : undefined);
  return {
    actorId: actor.id,
    homeworkId: filter.hw_id,
    type: filter.type,
    publishedFrom: published.from,
    publishedUntil: published.until,
    name: pattern(filter.name),
    courseTitle: pattern(filter.course_title),
    periodTitle: pattern(filter.periods_title),
    publisherName: pattern(filter.publisher_name),
    nickname: pattern(filter.nickname),
  };
}

/**
 * Builds the condition of the filter on `homework`. Course, period and publisher are looked up only if the filter names
 * them.
 */
function filterCondition(db: Database, at: Placeholders<FilterValues>) {
  return (eb: ExpressionBuilder<Tables, 'homework'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (at.publishedFrom) conditions.push(eb('homework.publish_time', '>=', at.publishedFrom));
    if (at.publishedUntil) conditions.push(eb('homework.publish_time', '<', at.publishedUntil));
    if (at.homeworkId) conditions.push(eb('homework.id', '=', at.homeworkId));
    if (at.type) conditions.push(eb('homework.type', '=', at.type));
    if (at.name) conditions.push(nameLike('homework.name', at.name));
    if (at.courseTitle) {
      const courses = db
        .selectFrom('course')
        .select('course.id')
        .whereRef('course.id', '=', eb.ref('homework.course_id'))
        .where(nameLike('course.title', at.courseTitle));
      conditions.push(eb.exists(courses));
    }
    if (at.periodTitle) {
      const periods = db
        .selectFrom('period')
        .select('period.id')
        .whereRef('period.id', '=', eb.ref('homework.period_id'))
        .where(nameLike('period.title', at.periodTitle));
      conditions.push(eb.exists(periods));
    }
    if (at.publisherName) {
      const creators = db
        .selectFrom('staff as creator')
        .select('creator.id')
        .whereRef('creator.id', '=', eb.ref('homework.creator_id'))
        .where(nameLike('creator.real_name', at.publisherName));
      conditions.push(eb.exists(creators));
    }
    return eb.and(conditions);
  };
}

/** Lists one page of reports to grade, oldest submission first. */
export async function gradingPage(db: Database, actor: Actor, filter: GradingFilter, timezone: string) {
  const values = valuesOf(actor, filter, timezone);
  const [counted] = await countReports(db, values, actor.identity);
  const { list: ids, ...range } = await pageOf(counted?.total ?? 0, filter, (rows) =>
    reportIds(db, { ...values, ...rows }, actor.identity),
  );
  const rows = await rowsOf(db, { listed: JSON.stringify(ids.map(({ id }) => id)) });
  const list = rows.map((row) => ({
    ...row,
    type: row.type,
    submit_time: row.submit_time ?? 0,
    periods_title: row.periods_title ?? '',
  }));
  return { list, ...range };
}

function matchingReports(db: Database, at: Placeholders<FilterValues>, identity: Identity) {
  const { nickname } = at;
  const matching = waitingReports(db, { id: at.actorId, identity }).where(filterCondition(db, at));
  return nickname ? matching.where((eb) => eb.exists(namedStudent(db, nickname))) : matching;
}

const countReports = prepared((db, at: Placeholders<FilterValues>, identity: Identity) =>
  matchingReports(db, at, identity).select((eb) => eb.fn.countAll<number>().as('total')),
);

const reportIds = prepared((db, at: Placeholders<FilterValues & RowRange>, identity: Identity) =>
  matchingReports(db, at, identity)
    .select('report.id')
    .orderBy('report.submit_time')
    .orderBy('report.id')
    .limit(at.limit)
    .offset(at.offset),
);

const rowsOf = prepared((db, { listed }: Placeholders<{ listed: string }>) =>
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

/** Selects the student of a report if their nickname matches. */
const namedStudent = (db: Database, nickname: Operand<string>) =>
  db
    .selectFrom('student')
    .select('student.id')
    .where(sql<boolean>`student.id = report.student_id`)
    .where(nameLike('student.nickname', nickname));

/** Maximum students listed per homework. */
const maxNamedStudents = 5;

/** Lists one page of homework with reports to grade, earliest deadline first. The numbers come from stored counters. */
export async function gradingGroupPage(db: Database, actor: Actor, filter: GradingFilter, timezone: string) {
  const values = valuesOf(actor, filter, timezone);
  const [counted] = await countGroups(db, values, actor.identity);
  const { list: rows, ...range } = await pageOf(counted?.total ?? 0, filter, (range) =>
    groupRows(db, { ...values, ...range }, actor.identity),
  );
  const listed = JSON.stringify(rows.map(({ hw_id }) => hw_id));
  const waiting = await firstWaiting(db, { actorId: actor.id, listed, nickname: values.nickname }, actor.identity);
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

function matchingGroups(db: Database, at: Placeholders<FilterValues>, identity: Identity) {
  const actor = { id: at.actorId, identity };
  const matching = db
    .selectFrom('homework')
    .innerJoin(homeworkCounts(db, actor).as('counted'), 'counted.id', 'homework.id')
    .where('counted.waiting', '>', 0)
    .where(filterCondition(db, at));
  const { nickname } = at;
  if (!nickname) return matching;
  const ofStudent = waitingReports(db, actor)
    .where((eb) => eb.exists(namedStudent(db, nickname)))
    .select('report.homework_id');
  return matching.where('homework.id', 'in', ofStudent);
}

const countGroups = prepared((db, at: Placeholders<FilterValues>, identity: Identity) =>
  matchingGroups(db, at, identity).select((eb) => eb.fn.countAll<number>().as('total')),
);

const groupRows = prepared((db, at: Placeholders<FilterValues & RowRange>, identity: Identity) =>
  matchingGroups(db, at, identity)
    .innerJoin('course', 'course.id', 'homework.course_id')
    .innerJoin('staff as creator', 'creator.id', 'homework.creator_id')
    .leftJoin('period', 'period.id', 'homework.period_id')
    .select(['homework.id as hw_id', 'homework.name', 'homework.type', 'homework.publish_time'])
    .select(['homework.ending_time', 'course.title as course_title', 'period.title as periods_title'])
    .select(['creator.real_name as publisher_name', 'counted.waiting', 'counted.submitted'])
    .orderBy('homework.ending_time')
    .orderBy('homework.id')
    .limit(at.limit)
    .offset(at.offset),
);

interface FirstWaitingValues {
  actorId: number;
  /** Homework ids as JSON. */
  listed: string;
  nickname: string | undefined;
}

/** Reads the first reports to grade of each homework, optionally filtered by nickname. */
const firstWaiting = prepared(
  (db, { actorId, listed, nickname }: Placeholders<FirstWaitingValues>, identity: Identity) => {
    let first = db
      .selectFrom('report as waiting')
      .select('waiting.id')
      .where('waiting.homework_id', '=', sql.ref<number>('given.id'))
      .where('waiting.status', '=', 2)
      .orderBy('waiting.submit_time')
      .orderBy('waiting.id')
      .limit(maxNamedStudents);
    if (identity === 'assist')
      first = first.where('waiting.class_id', 'in', classesAssistedBy(db, { id: actorId, identity }));
    if (nickname)
      first = first
        .innerJoin('student as called', 'called.id', 'waiting.student_id')
        .where(nameLike('called.nickname', nickname));
    return firstReports(db, listed, first)
      .innerJoin('student', 'student.id', 'report.student_id')
      .select(['report.homework_id', 'report.id as report_id', 'report.submit_time'])
      .select(['student.id as uid', 'student.nickname'])
      .orderBy('report.submit_time')
      .orderBy('report.id');
  },
);

/** Counts the reports that the actor can grade. The number comes from stored counters. */
export async function pendingReportCount(db: Database, actor: Actor): Promise<number> {
  const counters =
    actor.identity === 'assist'
      ? db
          .selectFrom('homework_class')
          .innerJoin('homework', 'homework.id', 'homework_class.homework_id')
          .where('homework_class.class_id', 'in', classesAssistedBy(db, actor))
          .select((eb) => eb.fn.sum<number | null>('homework_class.not_revised_homework_count').as('quantity'))
      : db
          .selectFrom('homework')
          .where('homework.id', 'in', visibleHomeworkIds(db, actor, 'own'))
          .select((eb) => eb.fn.sum<number | null>('homework.not_revised_homework_count').as('quantity'));
  const { quantity } = await counters.where('homework.status', '=', 1).executeTakeFirstOrThrow();
  return quantity ?? 0;
}
