/** History of a class, its members and its groups. */
import { sql } from 'kysely';
import { missingClass } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ClassHistoryFilter, HistoryRow } from './contract.ts';
import { countUpTo, matchingIds, readRowsById } from './list.ts';
import { maxHistoryRows } from './rules.ts';

/** Lists history rows, latest first. 404: the user does not see the class. */
export async function classHistory(
  context: RuleContext<'actor' | 'settings'>,
  id: number,
  filter: ClassHistoryFilter,
): Promise<Page<HistoryRow> | Refusal> {
  const { db, actor } = context;
  const theClass = await adminClasses(db, actor).select('class.id').where('class.id', '=', id).executeTakeFirst();
  if (!theClass) return missing(missingClass);
  const found = {
    parts: [
      sql`history.record = ${'class'} and history.record_id = ${id}`,
      sql`history.record = ${'class_student'} and history.record_id in (
        select class_student.id from class_student where class_student.class_id = ${id})`,
      sql`history.record = ${'class_group'} and history.record_id in (
        select class_group.id from class_group where class_group.class_id = ${id})`,
    ],
    further: [],
  };
  const total = await countUpTo(db, found, maxHistoryRows);
  const { list: ids, ...range } = await pageOf(total, filter, (rows) => matchingIds(db, found, rows));
  return { list: await readRowsById(context, ids), ...range };
}
