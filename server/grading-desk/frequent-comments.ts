/** Suggests comments that the grader used on a question before. */
import type { SelectQueryBuilder } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/** Maximum suggestions per question. */
const commentsOffered = 5;

/**
 * Returns the actor's own comments by question id, most frequent first. Works for homework and exams, whose answers
 * have the same review columns.
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

/** Groups the sorted rows by question. */
function offeredComments(rows: readonly { question_id: number; review_comment: string }[]): Map<number, string[]> {
  const byQuestion = new Map<number, string[]>();
  for (const { question_id, review_comment } of rows) {
    const offered = byQuestion.get(question_id) ?? [];
    if (offered.length < commentsOffered) byQuestion.set(question_id, [...offered, review_comment]);
  }
  return byQuestion;
}
