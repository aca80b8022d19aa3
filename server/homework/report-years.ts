/** Report ids encode the school year of their homework. On PostgreSQL, reports are partitioned by that year. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Database, isSqlite } from '#server/platform/db/engine.ts';
import { yearOfId } from '#server/schema/school-years.ts';

/**
 * Restricts a query for one report to the school year of the report's id, so that PostgreSQL reads a single partition.
 * The report itself always fulfils the condition. `homework`: the column with the homework id.
 */
export function inYearOfReport(reportId: number, homework = 'report.homework_id'): RawBuilder<SqlBool> {
  const { low, high } = yearOfId(reportId);
  return sql`(${sql.ref(homework)} >= ${sql.lit(low)} and ${sql.ref(homework)} < ${sql.lit(high)})`;
}

/** Returns an SQL expression that makes a new report id for each row of the query that contains it. */
export function newReportIds(db: Database, homeworkId: number): RawBuilder<number> {
  if (!isSqlite(db)) return sql`next_report_id(${sql.lit(homeworkId)})`;
  const { low, high } = yearOfId(homeworkId);
  return sql`coalesce((select max(id) from report where id >= ${sql.lit(low)} and id < ${sql.lit(high)}), ${sql.lit(low)})
    + row_number() over ()`;
}
