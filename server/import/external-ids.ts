/** The id under which other systems know a record: the id from its first source, or else its kind and our own id. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import type { RecordKind } from './source-record.ts';

/** Kinds that share their ids with another kind, because a package has both in one file. */
const sharedIdSpace: Partial<Record<RecordKind, RecordKind>> = { student: 'staff', class_course: 'class' };

/** SQL condition: the id in row `given` of `external_id` was not used for another record by an earlier source. */
export function isFirstSource(kind: RecordKind): RawBuilder<SqlBool> {
  const beside = sharedIdSpace[kind];
  const elsewhere = beside ? sql` or earlier.kind = ${sql.lit(beside)}` : sql``;
  return sql<SqlBool>`not exists (
    select 1 from external_id as earlier
    where earlier.sourced_id = given.sourced_id and earlier.state = 'active'
    and ((earlier.kind = ${sql.lit(kind)} and earlier.source_id < given.source_id and earlier.record <> given.record)
      ${elsewhere}))`;
}

/**
 * SQL for the id of a record in exports. `record`: as stored in `external_id`. `own`: used if no source has named the
 * record. Both are text.
 */
export const sourcedId = (
  kind: RecordKind,
  record: RawBuilder<unknown>,
  own: RawBuilder<unknown>,
): RawBuilder<string> =>
  sql<string>`coalesce((
    select given.sourced_id from external_id as given
    where given.kind = ${sql.lit(kind)} and given.record = ${record} and given.state = 'active'
    and ${isFirstSource(kind)} order by given.source_id, given.id limit 1), ${own})`;

/** Finds the records with this id in any source. The key of a link between two records is two ids joined by a colon. */
export async function recordsBySourceId(db: Database, kind: RecordKind, sourceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('external_id')
    .select('record')
    .where('sourced_id', '=', sourceId)
    .where('kind', '=', kind)
    .where('state', '=', 'active')
    .execute();
  return rows.map(({ record }) => record);
}
