/** The numbers of a homework's questions: 1, 2, and for the parts of the third, a material question, 3.1, 3.2. */

import { isMaterial } from '#server/grading/rules.ts';

interface NumberableQuestion {
  id: number;
  parent_id: number | null;
  sort: number;
  ques_type: number;
}

export type Numbered<Question> = Question & {
  /** As it is shown: `3`, or `3.1` for a part. */
  number: string;
  /** The material question of a part. */
  material: Question | undefined;
};

/** The questions that carry an answer, in their order: a material question is its parts. */
export function numberQuestions<Question extends NumberableQuestion>(
  questions: readonly Question[],
): Numbered<Question>[] {
  const bySort = (one: Question, other: Question) => one.sort - other.sort || one.id - other.id;
  const partsOf = (id: number | null) => questions.filter((one) => one.parent_id === id).toSorted(bySort);
  return partsOf(null).flatMap<Numbered<Question>>((question, index) =>
    isMaterial(question.ques_type)
      ? partsOf(question.id).map((part, at) => ({ ...part, number: `${index + 1}.${at + 1}`, material: question }))
      : [{ ...question, number: String(index + 1), material: undefined }],
  );
}
