/** Reads complete questions: for display, for the form, and to copy them into homework. */
import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { QuestionDetail, QuestionItem } from './contract.ts';
import { displayOf, prepareQuestions } from './display.ts';
import { pointPaths } from './points.ts';
import { missingQuestion, type QuestionOption } from './rules.ts';
import { tagsOf } from './tags.ts';

/**
 * Returns the questions in the order of `ids`, each with its parts. `seen`: query of the questions the user may see
 * (visible.ts). 404: one is not among them.
 */
export async function questionDetails(
  db: Database,
  actor: Actor,
  seen: SelectQueryBuilder<Tables, 'question', object>,
  ids: number[],
): Promise<QuestionDetail[] | Refusal> {
  if (ids.length === 0) return missing(missingQuestion);
  const found = await seen
    .leftJoin('knowledge_point', 'knowledge_point.id', 'question.point_id')
    .leftJoin('question_collect', (join) =>
      join.onRef('question_collect.question_id', '=', 'question.id').on('question_collect.staff_id', '=', actor.id),
    )
    .selectAll('question')
    .select(['knowledge_point.name as point_name', 'question_collect.id as collect_id'])
    .where('question.id', 'in', ids)
    .execute();
  if (found.length < ids.length) return missing(missingQuestion);
  await prepareQuestions(found);
  const items = await itemsOf(db, ids);
  const own = found.filter(({ owner_id }) => owner_id === actor.id).map(({ id }) => id);
  const tags = await tagsOf(db, own);
  const hasPoint = found.some(({ owner_id, point_id }) => owner_id === actor.id && point_id !== null);
  const paths = hasPoint ? await pointPaths(db) : undefined;
  const byId = new Map(found.map((question) => [question.id, question]));
  return ids.map((id) => {
    const question = byId.get(id) as (typeof found)[number];
    const isOwner = question.owner_id === actor.id;
    return {
      ...contentOf(question),
      remark: isOwner ? question.remark : '',
      stem_text: question.stem_text,
      updated_at: question.updated_at,
      is_owner: isOwner ? (1 as const) : (0 as const),
      is_public: question.is_public,
      collect_id: question.collect_id,
      point_id: question.point_id,
      point_name: question.point_name ?? '',
      point_path: (isOwner && question.point_id !== null && paths?.get(question.point_id)) || '',
      tags: tags.get(id) ?? [],
      ques_item: items.get(id) ?? [],
    };
  });
}

async function itemsOf(db: Database, ids: number[]): Promise<Map<number, QuestionItem[]>> {
  const rows = await db
    .selectFrom('question')
    .selectAll()
    .where('parent_id', 'in', ids)
    .orderBy('sort')
    .orderBy('id')
    .execute();
  await prepareQuestions(rows);
  const items = new Map<number, QuestionItem[]>();
  for (const row of rows) {
    const parent = row.parent_id as number;
    items.set(parent, [...(items.get(parent) ?? []), contentOf(row)]);
  }
  return items;
}

function contentOf(row: Selectable<Tables['question']>): QuestionItem {
  const ques_type = row.ques_type as QuestionItem['ques_type'];
  const ques_option = JSON.parse(row.ques_option) as QuestionOption[];
  const { id, ques_stem, right_answer, ques_analysis, remark } = row;
  return {
    id,
    ques_type,
    ques_stem,
    ques_option,
    right_answer,
    ignore_case: row.ignore_case,
    ques_analysis,
    facility_value: row.facility_value as QuestionItem['facility_value'],
    remark,
    display: displayOf({ ques_type, ques_stem, ques_option, right_answer, ques_analysis }),
  };
}
