/** What a grader wrote on a question before is offered again. Pure. */

/** How many of a grader's comments on a question are offered. */
const commentsOffered = 5;

/** By question, the most frequent first: as the rows come. */
export function offeredComments(
  rows: readonly { question_id: number; review_comment: string }[],
): Map<number, string[]> {
  const byQuestion = new Map<number, string[]>();
  for (const { question_id, review_comment } of rows) {
    const offered = byQuestion.get(question_id) ?? [];
    if (offered.length < commentsOffered) byQuestion.set(question_id, [...offered, review_comment]);
  }
  return byQuestion;
}
