/**
 * Returns the wrong options that an answer to a choice question contains, each once; for a matching question the wrong
 * pairs.
 */
export function wrongChoices(question: { ques_type: number; right_answer: string }, userAnswer: string): string[] {
  if (question.ques_type > 4) return [];
  const right = new Set(choices(question.right_answer));
  return [...new Set(choices(userAnswer))].filter((choice) => !right.has(choice));
}

/** Parses option ids or pairs; any other text was never an option. */
const choices = (answer: string) =>
  answer
    .normalize('NFKC')
    .split(/[\s,]+/)
    .filter((choice) => /^\d{1,9}(-\d{1,9})?$/.test(choice));
