/** OneRoster's academic sessions: school years and terms, and one session for all classes without a term. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { dayAfter } from '#server/import/formats/oneroster-days.ts';
import { noTerm } from '#server/import/formats/oneroster-format.ts';
import {
  activeWhere,
  commonFields,
  idOf,
  literal,
  type ParentFilter,
  type RecordSource,
  type RequestContext,
  type Resource,
  reachableSchools,
  recordSource,
  rowsOf,
} from './record-source.ts';

/** SQL condition for terms with a first and last day; the standard requires both days. */
const hasBothDays = (term: string): RawBuilder<SqlBool> =>
  sql`${sql.ref(`${term}.first_day`)} <> '' and ${sql.ref(`${term}.last_day`)} <> ''`;

/** The end of a SQL query, beginning with `from`, for the terms of a class. */
const termsOf = (theClass: string): RawBuilder<unknown> =>
  sql`from class_term inner join term on term.id = class_term.term_id and term.put_away_at is null
    and ${hasBothDays('term')} where class_term.class_id = ${sql.ref(theClass)}`;

/** Separates the ids in a list; ids cannot contain it. */
export const listSeparator = '\n';

export const termIdsOf = (theClass: string): RawBuilder<string> =>
  sql`coalesce((
    select string_agg(${idOf('term', 'term.id')}, ${sql.lit(listSeparator)} order by term.id) ${termsOf(theClass)}
  ), ${sql.lit(noTerm)})`;

export const firstTermIdOf = (theClass: string): RawBuilder<string> =>
  sql`coalesce((
    select ${idOf('term', 'term.id')} ${termsOf(theClass)} order by term.id limit 1
  ), ${sql.lit(noTerm)})`;

/** SQL condition: the class is in the term or, for `noTerm`, in none. */
export const isInTerm = (theClass: string, term: NonNullable<ParentFilter['term']>): RawBuilder<SqlBool> =>
  term === noTerm
    ? sql`not exists (select 1 ${termsOf(theClass)})`
    : sql`exists (select 1 ${termsOf(theClass)} and term.id = ${term})`;

function termPart({ db }: RequestContext, { term, session }: ParentFilter): RecordSource {
  const ending = sql<string>`coalesce(oldest.last_day, older.last_day, parent.last_day, term.last_day)`;
  return recordSource({ db }, 'term', {
    rows: db
      .selectFrom('term')
      .leftJoin('term as parent', (join) =>
        join.onRef('parent.id', '=', 'term.parent_id').on('parent.put_away_at', 'is', null).on(hasBothDays('parent')),
      )
      .leftJoin('term as older', (join) =>
        join.onRef('older.id', '=', 'parent.parent_id').on('older.put_away_at', 'is', null).on(hasBothDays('older')),
      )
      .leftJoin('term as oldest', (join) =>
        join.onRef('oldest.id', '=', 'older.parent_id').on('oldest.put_away_at', 'is', null).on(hasBothDays('oldest')),
      )
      .where(hasBothDays('term'))
      .$if(session !== undefined, (query) => query.where('term.type', '=', session ?? 'term'))
      .$if(term !== undefined, (query) => query.where('term.parent_id', '=', term === noTerm ? 0 : (term ?? 0))),
    changed: sql`coalesce(term.put_away_at, 0)`,
    columns: {
      status: activeWhere(sql`term.put_away_at is null`),
      title: sql.ref('term.name'),
      type: sql.ref('term.type'),
      startDate: sql.ref('term.first_day'),
      endDate: sql.ref('term.last_day'),
      schoolYear: sql`substr(${ending}, 1, 4)`,
      'parent.sourcedId': sql`case when parent.id is not null then ${idOf('term', 'parent.id')} end`,
    },
  });
}

function openPart({ db, client }: RequestContext): RecordSource {
  return {
    rows: rowsOf(
      db
        .selectFrom(sql<{ id: string }>`(select ${literal(noTerm)} as id)`.as('session'))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('class')
              .select('class.id')
              .where('class.school_id', 'in', reachableSchools({ db, client }))
              .where('class.class_type', '=', 0)
              .where(isInTerm('class.id', noTerm)),
          ),
        ),
    ),
    columns: {
      sourcedId: sql.ref('session.id'),
      status: literal('active'),
      dateLastModified: sql`0`,
      title: literal('长期'),
      type: literal('term'),
      startDate: literal('2000-01-01'),
      endDate: literal('2099-12-31'),
      schoolYear: literal('2100'),
    },
    order: ['session.id'],
    placed: async (id) => (id === noTerm ? sql`1 = 1` : undefined),
  };
}

export const academicSessions: Resource = {
  one: 'academicSession',
  many: 'academicSessions',
  fields: {
    ...commonFields,
    title: 'text',
    type: 'text',
    startDate: 'day',
    endDate: 'nextDay',
    schoolYear: 'text',
    'parent.sourcedId': 'text',
  },
  parts: (asked, within) => [
    termPart(asked, within),
    ...(within.term === undefined && within.session !== 'gradingPeriod' ? [openPart(asked)] : []),
  ],
  shape: (row, { links }) => ({
    title: row.title,
    type: row.type,
    startDate: row.startDate,
    // The standard's last day is exclusive, so this is the day after the last one.
    endDate: dayAfter(String(row.endDate)),
    ...(row['parent.sourcedId'] ? { parent: links('academicSession', row['parent.sourcedId']) } : {}),
    schoolYear: row.schoolYear,
  }),
};
