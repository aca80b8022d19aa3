/** Stores the question banks of the demo school. */
import {
  type BankName,
  type BankQuestion,
  type DemoSubject,
  demoBank,
  stemText,
  storedAnswer,
  storedHtml,
  storedOptions,
} from './bank.ts';
import type { DemoStaff } from './people.ts';
import { addPoints } from './points.ts';
import type { DemoQuestion } from './questions/question.ts';
import type { RowWriter } from './row-writer.ts';

const hour = 3600;

/** A question of the bank with its stored ids. */
export interface StoredQuestion extends BankQuestion {
  id: number;
  pointId: number;
  partIds: number[];
}

export function addBank(
  writer: RowWriter,
  owners: Record<BankName, DemoStaff>,
  { subjects, now }: { subjects: Record<DemoSubject, number>; now: number },
): StoredQuestion[] {
  const pointOf = addPoints(writer, subjects);
  return demoBank.map((question, index) => {
    // Update times are spread over the last months, so that a list ordered by time mixes the question types.
    const updatedAt = now - ((index * 37) % 101) * 22 * hour - index * 60 - hour;
    const place = { owner: owners[question.bank], isPublic: question.bank === 'public', updatedAt };
    const pointId = pointOf(question);
    return { ...question, pointId, ...addQuestion(writer, question, { ...place, pointId }) };
  });
}

export function addQuestion(
  writer: RowWriter,
  question: DemoQuestion,
  { owner, isPublic, pointId, updatedAt }: { owner: DemoStaff; isPublic: boolean; pointId: number; updatedAt: number },
): Pick<StoredQuestion, 'id' | 'partIds'> {
  const add = (one: DemoQuestion, parentId: number | null, sort: number) =>
    writer.add('question', {
      owner_id: owner.id,
      is_public: isPublic ? 1 : 0,
      parent_id: parentId,
      point_id: parentId === null ? pointId : null,
      sort,
      ...storedQuestion(one),
      created_at: updatedAt - 30 * hour,
      updated_at: updatedAt,
    });
  const id = add(question, null, 0);
  return { id, partIds: question.parts.map((part, sort) => add(part, id, sort + 1)) };
}

const storedQuestion = (question: DemoQuestion) => ({
  ques_type: question.type,
  ques_stem: storedHtml(question.stem),
  stem_text: stemText(storedHtml(question.stem)),
  ques_option: storedOptions(question),
  right_answer: storedAnswer(question),
  ques_analysis: storedHtml(question.analysis),
  facility_value: question.facility,
  remark: question.remark,
});
