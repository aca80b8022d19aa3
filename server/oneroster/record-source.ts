/** Building blocks of the OneRoster resources: queries of our tables that have a column for each field. */
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { recordsBySourceId, sourcedId } from '#server/import/external-ids.ts';
import type { RecordKind } from '#server/import/source-record.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { RosterClient } from './access.ts';
import type { Links } from './links.ts';

export interface RequestContext {
  db: Database;
  client: Pick<RosterClient, 'id' | 'everySchool'>;
  /** Unix seconds. */
  now: number;
  timezone: string;
}

/** Condition from the parents in a URL; has our own ids. */
export interface ParentFilter {
  schoolId?: number | undefined;
  /** A class. With `courseId`: one course of the class, which OneRoster treats as a class of its own. */
  theClass?: { id: number; courseId?: number };
  course?: { id: number } | { homeroomsOf: number };
  user?: { staffId: number } | { studentId: number };
  item?: { homeworkId: number; classId: number } | { examId: number; classId: number };
  role?: 'student' | 'teacher';
  /** Id of a term; `no-term`: classes without a term. */
  term?: number | 'no-term';
  session?: 'term' | 'gradingPeriod';
}

/** A query without columns. Its type does not say which tables it has, because they differ between the parts. */
export type RowQuery = SelectQueryBuilder<Tables, 'school', object>;
export const rowsOf = (query: unknown): RowQuery => query as RowQuery;

/**
 * How a field is stored. `list`: texts joined by `listSeparator`. `day`: `yyyy-mm-dd`. `nextDay`: stored as the day
 * before. `daytime`: a day, stored as unix seconds. `moment`: unix seconds.
 */
export type FieldType = 'text' | 'list' | 'number' | 'day' | 'nextDay' | 'daytime' | 'moment';

export interface RecordSource {
  rows: RowQuery;
  columns: Readonly<Record<string, Expression<unknown>>>;
  /** Columns by which the records have a stable order: ids, mostly with an index. */
  order: readonly string[];
  /** Returns the condition that finds a record by id, using an index; undefined if this part cannot contain it. */
  placed(id: string): Promise<RawBuilder<SqlBool> | undefined>;
}

/** A row as field names and values. */
export type Row = Readonly<Record<string, string | number | null | undefined>>;

export interface Resource {
  one: string;
  many: string;
  fields: Readonly<Record<string, FieldType>>;
  parts(request: RequestContext, within: ParentFilter): RecordSource[];
  /** Builds the JSON of a record, without id, status and modification time. */
  shape(row: Row, request: { links: Links; timezone: string }): Record<string, unknown>;
}

export function reachableSchools({ db, client }: Pick<RequestContext, 'db' | 'client'>) {
  const schools = db.selectFrom('school').select('school.id').where('school.put_away_at', 'is', null);
  if (client.everySchool) return schools;
  const named = db.selectFrom('roster_client_school').select('school_id').where('client_id', '=', client.id);
  return schools.where('school.id', 'in', named);
}

// ---- ids, the same as in a package ------------------------------------------------------------------

type NumberedKind = Extract<RecordKind, 'school' | 'term' | 'staff' | 'student' | 'course' | 'class'>;

export const textOf = (column: string): RawBuilder<string> => sql`cast(${sql.ref(column)} as text)`;

const concatenate = (...parts: RawBuilder<unknown>[]): RawBuilder<string> => sql`${sql.join(parts, sql` || `)}`;
export const literal = (text: string): RawBuilder<string> => sql`${sql.lit(text)}`;

export const idOf = (kind: NumberedKind, column: string): RawBuilder<string> =>
  sourcedId(kind, textOf(column), concatenate(literal(`${kind}-`), textOf(column)));

const pair = (one: string, other: string) => concatenate(textOf(one), literal(':'), textOf(other));

/** SQL for the id under which OneRoster has a course of a class. */
export const classCourseId = (theClass: string, course: string): RawBuilder<string> =>
  sourcedId(
    'class_course',
    pair(theClass, course),
    concatenate(idOf('class', theClass), literal('/'), idOf('course', course)),
  );

export const enrolmentId = (theClass: string, student: string): RawBuilder<string> =>
  sourcedId(
    'membership',
    pair(theClass, student),
    concatenate(idOf('class', theClass), literal('/'), idOf('student', student)),
  );

export const concatenateIds = concatenate;

/** SQL for the id of the homeroom course of a school. */
export const homeroomId = (school: string): RawBuilder<string> =>
  concatenate(literal('homeroom-'), idOf('school', school));

/** Returns our ids for a `sourcedId`: by the id that a source gave, or by the generated form `kind-id`. */
export async function idsForSourcedId(db: Database, kind: NumberedKind, id: string): Promise<number[]> {
  const own = new RegExp(`^${kind}-(\\d{1,15})$`).exec(id)?.[1];
  return [...(await recordsBySourceId(db, kind, id)).map(Number), ...(own ? [Number(own)] : [])];
}

/** Returns pairs of our ids for the `sourcedId` of a record that links two others. */
export async function pairsForSourcedId(
  db: Database,
  kind: 'class_course' | 'membership',
  id: string,
): Promise<[number, number][]> {
  const second = kind === 'membership' ? 'student' : 'course';
  const found = (await recordsBySourceId(db, kind, id)).map((key) => key.split(':').map(Number) as [number, number]);
  for (const [one, other] of allSplits(id, '/')) {
    const [classes, others] = [await idsForSourcedId(db, 'class', one), await idsForSourcedId(db, second, other)];
    for (const theClass of classes) for (const record of others) found.push([theClass, record]);
  }
  return found;
}

/** Returns all ways to split a text at a separator that may also occur inside the ids. */
export const allSplits = (text: string, sign: string): [string, string][] =>
  [...text].flatMap((one, at): [string, string][] => (one === sign ? [[text.slice(0, at), text.slice(at + 1)]] : []));

export const isOneOf = (column: string, ids: readonly number[]): RawBuilder<SqlBool> | undefined =>
  ids.length === 0 ? undefined : sql`${sql.ref(column)} in (${sql.join(ids)})`;

export const matchesPair = (
  [one, other]: readonly [string, string],
  pairs: readonly (readonly [number, number])[],
): RawBuilder<SqlBool> | undefined =>
  pairs.length === 0
    ? undefined
    : sql`(${sql.join(
        pairs.map(([first, second]) => sql`(${sql.ref(one)} = ${first} and ${sql.ref(other)} = ${second})`),
        sql` or `,
      )})`;

// ---- common fields ----------------------------------------------------------------------------------

/** History actions that do not change the record itself. */
const unchanging = [
  'viewed',
  'signed_in',
  'sign-in-failed',
  'sign-out',
  'export',
  'remind',
  'pin',
  'renew-feed',
  'revoke-feed',
];

/** SQL for the time of a record's last change (unix seconds), from the history; `atFirst` if the history has none. */
export const changedAt = (record: string, column: string, atFirst: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce((
    select max(history.at) from history where history.record = ${sql.lit(record)}
    and history.record_id = ${sql.ref(column)} and history.action not in (${sql.join(unchanging.map((one) => sql.lit(one)))})
  ), ${atFirst})`;

export const activeWhere = (condition: RawBuilder<SqlBool>): RawBuilder<string> =>
  sql`case when ${condition} then 'active' else 'tobedeleted' end`;

export const booleanText = (condition: RawBuilder<SqlBool>): RawBuilder<string> =>
  sql`case when ${condition} then 'true' else 'false' end`;

/** SQL condition for classes that have not ended. */
export const isOpenClass = (now: number): RawBuilder<SqlBool> =>
  sql`(class.valid_type <> 2 or class.valid_time > ${now})`;

export const commonFields = { sourcedId: 'text', status: 'text', dateLastModified: 'moment' } as const;

/** Builds a part with records of one kind. `changed`: modification time of records without history. */
export const recordSource = (
  { db }: Pick<RequestContext, 'db'>,
  kind: NumberedKind,
  { rows, changed, columns }: { rows: unknown; changed: RawBuilder<unknown>; columns: RecordSource['columns'] },
): RecordSource => ({
  rows: rowsOf(rows),
  columns: {
    sourcedId: idOf(kind, `${kind}.id`),
    dateLastModified: changedAt(kind, `${kind}.id`, changed),
    ...columns,
  },
  order: [`${kind}.id`],
  placed: async (id) => isOneOf(`${kind}.id`, await idsForSourcedId(db, kind, id)),
});

/** Modification time of records that never change. */
export const fixedTime = sql<number>`0`;

export const isFilled = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

export const filledFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)));
