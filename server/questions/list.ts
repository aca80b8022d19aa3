import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { containing } from '#server/db/search.ts';
import type { QuestionFilter, QuestionRow } from './contract.ts';

/** One page of the actor's own questions, last edited first. Parts of a material question are not rows. */
export async function questionPage(db: Database, actor: Actor, filter: QuestionFilter) {
  const { page, limit } = filter;
  let query = db.selectFrom('question').where('owner_id', '=', actor.id).where('parent_id', 'is', null);
  if (filter.ques_type !== undefined) query = query.where('ques_type', '=', filter.ques_type);
  if (filter.facility_value !== undefined) query = query.where('facility_value', '=', filter.facility_value);
  if (filter.ques_stem) query = query.where(containing('stem_text', filter.ques_stem));
  if (filter.remark) query = query.where(containing('remark', filter.remark));
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['id', 'ques_stem', 'stem_text', 'ques_type', 'facility_value', 'remark', 'updated_at'])
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { list: rows as QuestionRow[], total, page, limit };
}
