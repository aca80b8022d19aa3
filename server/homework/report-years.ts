/** Reports have ids of the year of their homework, on both engines; PostgreSQL has a table of them for each year. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { yearOfId } from '#server/schema/school-years.ts';

/**
 * Of a report that is asked for by its id: that its homework is of the same year. It always is; said in a query, one year's
 * table is looked into and not each. `homework` is the column that refers to it.
 */
export function ofYearOf(reportId: number, homework = 'report.homework_id'): RawBuilder<SqlBool> {
  const { low, high } = yearOfId(reportId);
  return sql`(${sql.ref(homework)} >= ${sql.lit(low)} and ${sql.ref(homework)} < ${sql.lit(high)})`;
}

/** An id for each row of the query that it stands in, for new reports of a homework. */
export function newReportIds(db: Database, homeworkId: number): RawBuilder<number> {
  if (!isSqlite(db)) return sql`next_report_id(${sql.lit(homeworkId)})`;
  const { low, high } = yearOfId(homeworkId);
  return sql`coalesce((select max(id) from report where id >= ${sql.lit(low)} and id < ${sql.lit(high)}), ${sql.lit(low)})
    + row_number() over ()`;
}
