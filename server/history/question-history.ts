/** History of a question of the user's own bank. */
import { sql } from 'kysely';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { ownQuestions, withMergedIds } from '#server/questions/visible.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { HistoryRow } from './contract.ts';
import { matchingIds, readRowsById } from './list.ts';

const maxVersions = 100;
/** Maximum number of merged questions whose rows are listed. */
const maxMerged = 100;

/** Lists history rows, latest first, also of questions merged into this one. 404: it is not the user's question. */
export async function questionHistory(
  context: RuleContext<'actor' | 'settings'>,
  id: number,
): Promise<HistoryRow[] | Refusal> {
  const { db, actor } = context;
  const own = await ownQuestions(db, actor).select('question.id').where('question.id', '=', id).executeTakeFirst();
  if (!own) return missing(missingQuestion);
  const merged = [...(await withMergedIds(db, [id])).keys()].slice(0, maxMerged);
  const parts = merged.map((one) => sql`history.record = ${'question'} and history.record_id = ${one}`);
  const found = { parts, further: [] };
  return readRowsById(context, await matchingIds(db, found, { limit: maxVersions, offset: 0 }));
}
