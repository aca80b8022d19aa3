/** Questions of the bank as material for homework. */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import type { QuestionDraft } from './draft.ts';

/** Those of `ids` that the actor may use, by id: their own, and the public ones while the public bank is offered. */
export async function usableQuestions(
  db: Database,
  actor: Actor,
  ids: readonly number[],
  { switch_question_module }: Pick<SchoolSettings, 'switch_question_module'>,
): Promise<Map<number, QuestionDraft>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('question')
    .selectAll()
    .where((eb) => eb.or([eb('id', 'in', ids), eb('parent_id', 'in', ids)]))
    .where((eb) => eb.or([eb('owner_id', '=', actor.id), ...(switch_question_module ? [eb('is_public', '=', 1)] : [])]))
    .orderBy('sort')
    .orderBy('id')
    .execute();
  const draft = (row: (typeof rows)[number]): QuestionDraft => ({
    ques_type: row.ques_type as QuestionDraft['ques_type'],
    ques_stem: row.ques_stem,
    ques_option: JSON.parse(row.ques_option) as QuestionDraft['ques_option'],
    right_answer: row.right_answer,
    ques_analysis: row.ques_analysis,
    facility_value: row.facility_value,
    remark: '',
    ques_item: rows.filter(({ parent_id }) => parent_id === row.id).map(draft),
  });
  return new Map(rows.filter(({ id }) => ids.includes(id)).map((row) => [row.id, draft(row)]));
}
