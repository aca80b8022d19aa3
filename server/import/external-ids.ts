/** The id under which other systems know a record: the one of its first source, else kind and own id. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import type { Kind } from './source-record.ts';

/** Kinds that share one id space in a package with an earlier kind. */
const sharedIdSpace: Partial<Record<Kind, Kind>> = { student: 'staff', class_course: 'class' };

/** SQL: True if no earlier source uses the id of row `given` of `external_id` for another record. */
export function isFirstSource(kind: Kind): RawBuilder<SqlBool> {
  const beside = sharedIdSpace[kind];
  const elsewhere = beside ? sql` or earlier.kind = ${sql.lit(beside)}` : sql``;
  return sql<SqlBool>`not exists (
    select 1 from external_id as earlier
    where earlier.sourced_id = given.sourced_id and earlier.state = 'active'
    and ((earlier.kind = ${sql.lit(kind)} and earlier.source_id < given.source_id and earlier.record <> given.record)
      ${elsewhere}))`;
}

/** `record` as stored in `external_id`; `own`: fallback without any source. Both are text. */
export const sourcedId = (kind: Kind, record: RawBuilder<unknown>, own: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`coalesce((
    select given.sourced_id from external_id as given
    where given.kind = ${sql.lit(kind)} and given.record = ${record} and given.state = 'active'
    and ${isFirstSource(kind)} order by given.source_id, given.id limit 1), ${own})`;

/** Records with this id in any source (two ids joined by a colon for records between two others). */
export async function recordsBySourceId(db: Database, kind: Kind, sourceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('external_id')
    .select('record')
    .where('sourced_id', '=', sourceId)
    .where('kind', '=', kind)
    .where('state', '=', 'active')
    .execute();
  return rows.map(({ record }) => record);
}
