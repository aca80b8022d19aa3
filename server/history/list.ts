/** Lists the history for administrators, latest first, filtered by author, student, record, action and day. */

import { type RawBuilder, sql } from 'kysely';
import { adminStaff } from '#server/account/visible.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { dayRange } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { HistoryFilter, HistoryPage, HistoryRow } from './contract.ts';
import { displayRows, type StoredRow } from './display.ts';
import { actionsOf, titlesOf } from './records.ts';
import { type HistoryRecord, historyRecords, maxHistoryRows, maxNamedRecords, missingRecord } from './rules.ts';
import { recordsOfStudents } from './student-records.ts';

type RequestContext = RuleContext<'actor' | 'settings'>;
type HistoryConditions = Omit<HistoryFilter, 'page' | 'limit'>;

/** Lists one page of the history. 404: the filter names a record of another school. */
export async function historyPage(context: RequestContext, filter: HistoryFilter): Promise<HistoryPage | Refusal> {
  const found = await historyQueryOf(context, filter);
  if (isRefusal(found)) return found;
  const total = await countUpTo(context.db, found, maxHistoryRows);
  const { list: ids, ...range } = await pageOf(total, filter, (rows) => matchingIds(context.db, found, rows));
  return { list: await readRowsById(context, ids), ...range, some_named: found.someNamed ? 1 : 0 };
}

/** SQL conditions that select the rows of a filter: `parts` and `further`. Without any part, no row matches. */
export interface HistoryQuery {
  /** Conditions that an index serves; a row must match one of them. Combined by union. */
  parts: Condition[];
  /** Conditions that each row found by `parts` must also meet. */
  further: Condition[];
  /** True if the searched name matches more people or students than the search takes into account. */
  someNamed?: boolean;
}
type Condition = RawBuilder<unknown>;

/** Hides a column from the index: its values are so common that an index on it would slow the query down. */
const unindexed = (column: 'record' | 'action') => sql`${sql.ref(`history.${column}`)} || ''`;
const plainStaff = sql`coalesce(history.staff_id, 0)`;

/**
 * Translates a filter into SQL conditions. An administrator of some schools sees what visible people did to records of
 * these schools; with a record or student in the filter, everything that was done to it. 404: a record of another
 * school.
 */
export async function historyQueryOf(
  context: RequestContext,
  wanted: HistoryConditions,
): Promise<HistoryQuery | Refusal> {
  const found = await buildHistoryQuery(context, wanted);
  const isOfOne = (wanted.record && wanted.record_id !== undefined) || wanted.student || wanted.student_id;
  return isRefusal(found) || isOfOne || context.actor.everySchool ? found : withoutOtherSchools(context, found);
}

async function buildHistoryQuery(
  { db, actor, settings }: RequestContext,
  wanted: HistoryConditions,
): Promise<HistoryQuery | Refusal> {
  const { record, record_id, action } = wanted;
  const { from, until } = dayRange(wanted.start, wanted.end, settings.timezone);
  const days: Condition[] = [];
  if (from !== undefined) days.push(sql`history.at >= ${from}`);
  if (until !== undefined) days.push(sql`history.at < ${until}`);
  const further = [...days];
  const staff = await staffOf({ db, actor }, wanted);
  const students = await studentsOf({ db, actor }, wanted);
  const someNamed = [staff, students].some((named) => named && named.length > maxNamedRecords);
  const ofStudents = students && partsOfStudents(db, students.slice(0, maxNamedRecords));
  if (record && record_id !== undefined && !actor.everySchool) {
    const [known] = await titlesOf(db, record, [record_id]);
    const schools = await schoolsOf(db, actor).execute();
    if (!known || !schools.some(({ id }) => id === known.school_id)) return missing(missingRecord);
  }
  const isOne = record !== undefined && record_id !== undefined;
  const byRecord = record && sql`${unindexed('record')} = ${record}`;
  const byAction = action && sql`${unindexed('action')} = ${action}`;
  const byStaff = staff && sql`${plainStaff} in (${sql.join([-1, ...staff.slice(0, maxNamedRecords)])})`;
  if (isOne) {
    const one = sql`history.record = ${record} and history.record_id = ${record_id}`;
    const aboutThem = ofStudents && sql`(${sql.join([sql`false`, ...ofStudents.values()], sql` or `)})`;
    return { parts: [one], further: conditions(further, byAction, byStaff, aboutThem), someNamed };
  }
  if (ofStudents) {
    const parts = [...ofStudents].filter(([of]) => record === undefined || of === record).map(([, part]) => part);
    return { parts, further: conditions(further, byAction, byStaff), someNamed };
  }
  if (staff) {
    const parts = staff.slice(0, maxNamedRecords).map((id) => sql`history.staff_id = ${id}`);
    return { parts, further: conditions(further, byRecord, byAction), someNamed };
  }
  const parts = record || action ? partsOfActions({ record, action }) : [sql`true`];
  return actor.everySchool
    ? { parts, further }
    : limitToColleagues({ db, actor }, { parts, further, byRecord, byAction });
}

const partsOfActions = ({ record, action }: Pick<HistoryConditions, 'record' | 'action'>): Condition[] =>
  historyRecords
    .filter((one) => record === undefined || one === record)
    .flatMap((one) => actionsOf(one).map((does) => ({ one, does })))
    .filter(({ does }) => action === undefined || does === action)
    .map(({ one, does }) => sql`history.record = ${one} and history.action = ${does}`);

/** Maximum number of parts in one statement; SQLite allows 500. */
const maxParts = 400;

/**
 * If the searched authors are at most one in eight of all staff, rows are found by the index on the author, because
 * most rows belong to others.
 */
const fewOf = 8;

/**
 * Narrows to authors whom an administrator of some schools sees. If these are few of all staff, nearly all rows of a
 * common action belong to others, so the index on the author is used.
 */
async function limitToColleagues(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  { byRecord, byAction, ...found }: HistoryQuery & Record<'byRecord' | 'byAction', Condition | '' | undefined>,
): Promise<HistoryQuery> {
  const people = adminStaff(db, actor).select('staff.id');
  const theirs = { ...found, further: [...found.further, sql`${plainStaff} in (${people})`] };
  const ids = (await people.limit(maxParts + 1).execute()).map(({ id }) => id);
  const all = await countOf(db.selectFrom('staff'));
  if (ids.length > maxParts || ids.length * fewOf > all) return theirs;
  const isSeldom = (byRecord || byAction) && (await countUpTo(db, found, maxHistoryRows)) < maxHistoryRows;
  if (isSeldom) return theirs;
  const parts = ids.map((id) => sql`history.staff_id = ${id}`);
  return { parts, further: conditions(found.further, byRecord, byAction) };
}

/**
 * Removes rows about records of other schools, such as students of another school whom a visible teacher marked. Rows
 * of deleted records stay, because their school is unknown. Only checks as many rows as a list can show, and ends the
 * list there.
 */
async function withoutOtherSchools({ db, actor }: RequestContext, found: HistoryQuery): Promise<HistoryQuery> {
  const ids = await matchingIds(db, found, { limit: maxHistoryRows, offset: 0 });
  if (ids.length === 0) return found;
  const rows = await db
    .selectFrom('history')
    .select(['record', 'record_id', 'at'])
    .where('id', 'in', ids)
    .groupBy(['record', 'record_id', 'at'])
    .execute();
  const schools = new Set((await schoolsOf(db, actor).execute()).map(({ id }) => id));
  const others: Condition[] = [];
  for (const record of historyRecords) {
    const ofRecord = rows.filter((row) => row.record === record).map(({ record_id }) => record_id);
    const titled = await titlesOf(db, record, ofRecord);
    const outside = titled.filter(({ school_id }) => school_id !== null && !schools.has(school_id));
    if (outside.length === 0) continue;
    const outsideIds = sql.join(outside.map(({ id }) => sql.lit(id)));
    others.push(sql`not (${unindexed('record')} = ${record} and history.record_id in (${outsideIds}))`);
  }
  const oldest = Math.min(...rows.map(({ at }) => at));
  const seenAlone = ids.length < maxHistoryRows ? [] : [sql`history.at > ${oldest}`];
  return { ...found, further: [...found.further, ...others, ...seenAlone] };
}

const conditions = (all: Condition[], ...more: (Condition | '' | undefined)[]): Condition[] => [
  ...all,
  ...more.filter((one) => one !== undefined && one !== ''),
];

/**
 * Returns the ids of staff who match the filter, one more than the maximum if there are more; undefined without such a
 * filter.
 */
async function staffOf({ db, actor }: Pick<RequestContext, 'db' | 'actor'>, { who, staff_id }: HistoryConditions) {
  if (who === undefined && staff_id === undefined) return undefined;
  const rows = await adminStaff(db, actor)
    .select('staff.id')
    .$if(staff_id !== undefined, (query) => query.where('staff.id', '=', staff_id ?? 0))
    .$if(who !== undefined, (query) =>
      query.where((eb) =>
        eb.or([nameContains('staff.real_name', who ?? ''), containsText('staff.username', who ?? '')]),
      ),
    )
    .orderBy('staff.id')
    .limit(maxNamedRecords + 1)
    .execute();
  return rows.map(({ id }) => id);
}

async function studentsOf(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  { student, student_id }: HistoryConditions,
) {
  if (student === undefined && student_id === undefined) return undefined;
  const rows = await db
    .selectFrom('student')
    .select('id')
    .where('school_id', 'in', schoolsOf(db, actor))
    .$if(student_id !== undefined, (query) => query.where('id', '=', student_id ?? 0))
    .$if(student !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          nameContains('nickname', student ?? ''),
          containsText('number', student ?? ''),
          containsText('mobile', student ?? ''),
        ]),
      ),
    )
    .orderBy('id')
    .limit(maxNamedRecords + 1)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Conditions by record type for rows about these students, each served by an index. PostgreSQL gets the ids as one
 * array: with separate parameters it scans the latest rows until enough of them match.
 */
const partsOfStudents = (db: Database, students: readonly number[]): Map<HistoryRecord, Condition> =>
  new Map(
    recordsOfStudents(db, students).map(([record, ids]) => {
      const isTheirs = isSqlite(db) ? sql`in (${ids})` : sql`= any(array(${ids}))`;
      return [record, sql`(history.record = ${record} and history.record_id ${isTheirs})`];
    }),
  );

/** Selects the ids of the rows of one part, at most as many as a list can have. */
const partOf = (part: Condition, further: readonly Condition[], most: number) =>
  sql`select * from (
    select history.id, history.at from history
    where ${sql.join([part, ...further], sql` and `)}
    order by history.at desc, history.id desc limit cast(${most} as integer)
  ) as part`;

const allOf = ({ parts, further }: HistoryQuery, most: number) =>
  sql.join(
    parts.map((part) => partOf(part, further, most)),
    sql` union all `,
  );

/** Counts the rows, but at most up to `most`. */
export async function countUpTo(db: Database, found: HistoryQuery, most: number): Promise<number> {
  if (found.parts.length === 0) return 0;
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select 1 as one from (${allOf(found, most)}) as found limit cast(${most} as integer)) as rows_found`.execute(
    db,
  );
  return Number(rows[0]?.total ?? 0);
}

/** Maximum number of rows, of all parts together, that one statement sorts. */
const maxSorted = 20_000;
const week = 7 * 24 * 60 * 60;

/**
 * Limits how far back each part is read: returns a condition on the time since which all parts together have enough
 * rows.
 */
async function boundTime(db: Database, found: HistoryQuery, rows: number): Promise<Condition[]> {
  if (found.parts.length < 2 || found.parts.length * rows <= maxSorted) return [];
  const { last } = await db
    .selectFrom('history')
    .select((eb) => eb.fn.max<number | null>('at').as('last'))
    .executeTakeFirstOrThrow();
  for (let span = week; span < 1000 * week; span *= 4) {
    const later = [sql`history.at >= ${(last ?? 0) - span}`];
    if ((await countUpTo(db, { ...found, further: [...found.further, ...later] }, rows)) >= rows) return later;
  }
  return [];
}

export async function matchingIds(
  db: Database,
  { parts, further }: HistoryQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  if (parts.length === 0) return [];
  const found = { parts, further: [...further, ...(await boundTime(db, { parts, further }, limit + offset))] };
  const { rows } = await sql<{ id: number }>`
    select id from (${allOf(found, limit + offset)}) as found
    order by at desc, id desc limit cast(${limit} as integer) offset ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Reads rows by their ids, in that order. */
export async function readRowsById(context: RequestContext, ids: readonly number[]): Promise<HistoryRow[]> {
  if (ids.length === 0) return [];
  const rows: StoredRow[] = await context.db
    .selectFrom('history')
    .leftJoin('staff', 'staff.id', 'history.staff_id')
    .select([
      'history.id',
      'history.at',
      'history.staff_id',
      'history.record',
      'history.record_id',
      'history.action',
      'history.before',
      'history.after',
      'staff.real_name as who',
    ])
    .where('history.id', 'in', [...ids])
    .orderBy('history.at', 'desc')
    .orderBy('history.id', 'desc')
    .execute();
  return displayRows(context, rows);
}
