/** Wrong options in answers to choice and matching questions. */

/** Returns the distinct wrong options of a choice answer; wrong pairs of a matching question. */
export function wrongChoices(question: { ques_type: number; right_answer: string }, userAnswer: string): string[] {
  if (question.ques_type > 4) return [];
  const right = new Set(choices(question.right_answer));
  return [...new Set(choices(userAnswer))].filter((choice) => !right.has(choice));
}

/** Parses option ids or pairs; other text was never an option. */
const choices = (answer: string) =>
  answer
    .normalize('NFKC')
    .split(/[\s,]+/)
    .filter((choice) => /^\d{1,9}(-\d{1,9})?$/.test(choice));
