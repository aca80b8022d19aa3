/** Under which id other systems know a record: the one that the first source gave it, else its kind and its own. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import type { Kind } from './source-record.ts';

/** Kinds whose ids are told apart from those of an earlier one: a package has one list of both. */
const besides: Partial<Record<Kind, Kind>> = { student: 'staff', class_course: 'class' };

/** Of a row of `external_id`, named `given`: no earlier source has said the same of another record. */
export function isFirstToSay(kind: Kind): RawBuilder<SqlBool> {
  const beside = besides[kind];
  const elsewhere = beside ? sql` or earlier.kind = ${sql.lit(beside)}` : sql``;
  return sql<SqlBool>`not exists (
    select 1 from external_id as earlier
    where earlier.sourced_id = given.sourced_id and earlier.state = 'active'
    and ((earlier.kind = ${sql.lit(kind)} and earlier.source_id < given.source_id and earlier.record <> given.record)
      ${elsewhere}))`;
}

/** `record` as `external_id` has it, and `own` where no source has said anything: both text. */
export const sourcedId = (kind: Kind, record: RawBuilder<unknown>, own: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`coalesce((
    select given.sourced_id from external_id as given
    where given.kind = ${sql.lit(kind)} and given.record = ${record} and given.state = 'active'
    and ${isFirstToSay(kind)} order by given.source_id, given.id limit 1), ${own})`;

/** Which records sources call so, by our own ids (two of them joined by a colon where it is one of two). */
export async function recordsUnder(db: Database, kind: Kind, sourceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('external_id')
    .select('record')
    .where('sourced_id', '=', sourceId)
    .where('kind', '=', kind)
    .where('state', '=', 'active')
    .execute();
  return rows.map(({ record }) => record);
}
