/** Returns the drawings of a paper's matching questions, by question id. */
import type { ExamPaper } from '#server/exams/paper.contract.ts';
import { drawMatching } from '../grading/matching.server.ts';
import type { MatchingDrawing } from '../grading/matching.tsx';

export function paperDrawings(
  { detail }: Pick<ExamPaper, 'detail'>,
  shown: Parameters<typeof drawMatching>[1],
): Record<number, MatchingDrawing> {
  const questions = detail.flatMap(({ question }) => question.flatMap((one) => [one, ...one.children]));
  return Object.fromEntries(
    questions.flatMap((question) => {
      const drawing = drawMatching(question, shown);
      return drawing ? [[question.id, drawing] as const] : [];
    }),
  );
}
