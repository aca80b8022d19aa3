/** What 只看错题 keeps: wrong questions, subjective ones and material ones. */
import { fromExamType, type SheetQuestion } from '#server/exams/contract.ts';

export function isShownAsWrong({ status, ques_type }: Pick<SheetQuestion, 'status' | 'ques_type'>): boolean {
  const type = fromExamType(ques_type);
  return type === 5 || type === 6 || status === 2;
}
