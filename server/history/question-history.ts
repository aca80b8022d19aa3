/** History of a question of the user's own bank. */
import { sql } from 'kysely';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { ownQuestions } from '#server/questions/visible.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { HistoryRow, RecordHistoryFilter } from './contract.ts';
import { countUpTo, matchingIds, readRowsById } from './list.ts';
import { maxHistoryRows } from './rules.ts';

/** Lists history rows, latest first. 404: it is not the user's question. */
export async function questionHistory(
  context: RuleContext<'actor' | 'settings'>,
  id: number,
  filter: RecordHistoryFilter,
): Promise<Page<HistoryRow> | Refusal> {
  const { db, actor } = context;
  const own = await ownQuestions(db, actor).select('question.id').where('question.id', '=', id).executeTakeFirst();
  if (!own) return missing(missingQuestion);
  const found = { parts: [sql`history.record = ${'question'} and history.record_id = ${id}`], further: [] };
  const total = await countUpTo(db, found, maxHistoryRows);
  const { list: ids, ...range } = await pageOf(total, filter, (rows) => matchingIds(db, found, rows));
  return { list: await readRowsById(context, ids), ...range };
}
