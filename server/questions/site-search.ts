/** Site search for questions by their stem, the last edited first; uses the full-text index of the banks. */
import type { SelectQueryBuilder } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Paging } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { stemWithFormulas } from './display.ts';
import { searchBank } from './search.ts';
import { ownQuestions, publicQuestions } from './visible.ts';

type Questions = SelectQueryBuilder<Tables, 'question', object>;

export const searchQuestions = (db: Database, actor: Actor, text: string, paging: Paging) =>
  searchPage(db, ownQuestions(db, actor), { ownerId: actor.id, stem: text }, paging);

/** The caller must check that the school offers the public bank. */
export const searchPublicQuestions = (db: Database, text: string, paging: Paging) =>
  searchPage(db, publicQuestions(db), { ownerId: undefined, stem: text }, paging);

async function searchPage(
  db: Database,
  questions: Questions,
  search: { ownerId: number | undefined; stem: string },
  paging: Paging,
) {
  const { list: ids, ...range } = await searchBank(db, { ...search, forPicker: false }, paging);
  const rows = await questions
    .select(['question.id', 'question.stem_text', 'question.ques_stem'])
    .select(['question.ques_type', 'question.updated_at', 'question.is_public'])
    .where('question.id', 'in', [0, ...ids])
    .execute();
  const byId = new Map(rows.map(({ ques_stem, ...row }) => [row.id, { ...row, stem: stemWithFormulas(ques_stem) }]));
  return { list: ids.flatMap((id) => byId.get(id) ?? []), ...range };
}
