/** Numbers the questions of a homework: 1, 2 …; the parts of a material question are 3.1, 3.2 … */

import { isMaterial } from '#server/grading/rules.ts';

interface NumberableQuestion {
  id: number;
  parent_id: number | null;
  sort: number;
  ques_type: number;
}

export type NumberedQuestion<Question> = Question & {
  /** Displayed number, such as `3`, or `3.1` for a part. */
  number: string;
  /** The material question that the question is a part of; undefined if it is no part. */
  material: Question | undefined;
};

/** Returns the questions that students answer, in order. A material question is replaced by its parts. */
export function numberQuestions<Question extends NumberableQuestion>(
  questions: readonly Question[],
): NumberedQuestion<Question>[] {
  const bySort = (one: Question, other: Question) => one.sort - other.sort || one.id - other.id;
  const partsOf = (id: number | null) => questions.filter((one) => one.parent_id === id).toSorted(bySort);
  return partsOf(null).flatMap<NumberedQuestion<Question>>((question, index) =>
    isMaterial(question.ques_type)
      ? partsOf(question.id).map((part, at) => ({ ...part, number: `${index + 1}.${at + 1}`, material: question }))
      : [{ ...question, number: String(index + 1), material: undefined }],
  );
}
