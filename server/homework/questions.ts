/** Questions of a homework. They are copies, so that edits of the bank do not change published homework. */

import { pointsOf } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import type { Homework } from '#server/schema/database.ts';
import type { HomeworkQuestion } from './copies.contract.ts';

/** A question to publish, with its score. */
export interface ScoredQuestion extends Omit<QuestionDraft, 'ques_item'> {
  /** Id of the bank question that this question was copied from. */
  source_id: number | null;
  /** Score in stored units (see `grading/scoring.ts`); for a material question the sum of its parts. */
  score: number;
  ques_item: ScoredQuestion[];
}

const chunk = 200;

/**
 * Inserts the questions in order. `sort` counts from 1, and within a material question its parts count from 1 again.
 */
export async function storeQuestions(
  db: Database,
  homeworkId: Homework['id'],
  questions: readonly ScoredQuestion[],
): Promise<void> {
  const row = (question: ScoredQuestion, sort: number, parentId: number | null) => ({
    homework_id: homeworkId,
    source_id: question.source_id,
    parent_id: parentId,
    sort,
    ques_type: question.ques_type,
    ques_stem: question.ques_stem,
    ques_option: JSON.stringify(question.ques_option),
    right_answer: question.right_answer,
    ignore_case: question.ignore_case,
    ques_analysis: question.ques_analysis,
    facility_value: question.facility_value,
    score: question.score,
  });
  const insert = async (rows: ReturnType<typeof row>[]) => {
    for (let start = 0; start < rows.length; start += chunk) {
      await db
        .insertInto('homework_question')
        .values(rows.slice(start, start + chunk))
        .execute();
    }
  };
  await insert(questions.map((question, index) => row(question, index + 1, null)));
  if (questions.every(({ ques_item }) => ques_item.length === 0)) return;
  const stored = await db
    .selectFrom('homework_question')
    .select(['id', 'sort'])
    .where('homework_id', '=', homeworkId)
    .where('parent_id', 'is', null)
    .execute();
  const idBySort = new Map(stored.map(({ id, sort }) => [sort, id]));
  await insert(
    questions.flatMap(({ ques_item }, index) =>
      ques_item.map((part, number) => row(part, number + 1, idBySort.get(index + 1) as number)),
    ),
  );
}

/** Returns the questions of several homework: by the order of `homeworkIds`, then by `sort`. */
export async function questionsOf(db: Database, homeworkIds: readonly number[]): Promise<HomeworkQuestion[]> {
  if (homeworkIds.length === 0) return [];
  const rows = await db
    .selectFrom('homework_question')
    .innerJoin('homework', 'homework.id', 'homework_question.homework_id')
    .selectAll('homework_question')
    .select('homework.is_set_score')
    .where('homework_question.homework_id', 'in', homeworkIds)
    .orderBy('homework_question.sort')
    .orderBy('homework_question.id')
    .execute();
  const wire = (row: (typeof rows)[number]) => ({
    id: row.id,
    source_id: row.source_id,
    ques_type: row.ques_type as QuestionDraft['ques_type'],
    ques_stem: row.ques_stem,
    ques_option: JSON.parse(row.ques_option) as QuestionDraft['ques_option'],
    right_answer: row.right_answer,
    ignore_case: row.ignore_case,
    ques_analysis: row.ques_analysis,
    facility_value: row.facility_value,
    remark: '',
    ques_score: pointsOf(row.is_set_score, row.score),
  });
  const parts = new Map<number, typeof rows>();
  for (const row of rows) {
    if (row.parent_id === null) continue;
    const siblings = parts.get(row.parent_id);
    if (siblings) siblings.push(row);
    else parts.set(row.parent_id, [row]);
  }
  const topLevel = rows.filter(({ parent_id }) => parent_id === null);
  return homeworkIds.flatMap((homeworkId) =>
    topLevel
      .filter(({ homework_id }) => homework_id === homeworkId)
      .map((row) => ({ ...wire(row), ques_item: (parts.get(row.id) ?? []).map(wire) })),
  );
}
