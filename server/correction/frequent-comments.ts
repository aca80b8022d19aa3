/** What a grader wrote on a question before is offered again. */
import type { SelectQueryBuilder } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/** How many of a grader's comments on a question are offered. */
const commentsOffered = 5;

/**
 * What the actor wrote on these questions before, by question, the most frequent first. The answers of homework and of
 * exams keep a review in the same columns (see grading/answer-review.ts).
 */
export async function frequentComments(
  answers: SelectQueryBuilder<Tables, 'answer' | 'exam_answer', object>,
  actor: Actor,
  questionIds: number[],
): Promise<Map<number, string[]>> {
  if (questionIds.length === 0) return new Map();
  const rows = await answers
    .select(['question_id', 'review_comment'])
    .select((eb) => eb.fn.countAll<number>().as('times'))
    .where('question_id', 'in', questionIds)
    .where('reviewed_by', '=', actor.id)
    .where('review_comment', '<>', '')
    .groupBy(['question_id', 'review_comment'])
    .orderBy('times', 'desc')
    .orderBy('review_comment')
    .execute();
  return offeredComments(rows);
}

/** By question, the most frequent first: as the rows come. */
function offeredComments(rows: readonly { question_id: number; review_comment: string }[]): Map<number, string[]> {
  const byQuestion = new Map<number, string[]>();
  for (const { question_id, review_comment } of rows) {
    const offered = byQuestion.get(question_id) ?? [];
    if (offered.length < commentsOffered) byQuestion.set(question_id, [...offered, review_comment]);
  }
  return byQuestion;
}
