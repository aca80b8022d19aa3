/** Moves a question within the draft of a paper, by one place or to a typed number. */
import { conflict, invalid, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { parseWithin, placeMessage } from '#server/questions/compose.rules.ts';
import { recordExamHistory } from './admin-changes.ts';
import type { Direction } from './composing.contract.ts';
import { type PaperContext, sectionsOf } from './draft-paper.ts';
import { heldQuestion, type QuestionPlace } from './draft-questions.ts';
import type { StoredExamQuestion } from './questions.ts';
import { composingMessages } from './rules.ts';

/**
 * Moves a question by one place, or to a typed number. 404: no such question. 409: published, or at the end of the paper.
 * 422: no such number.
 */
export async function moveQuestion(
  context: PaperContext,
  place: QuestionPlace,
  { to, place: typed }: { to: Direction; place?: string | undefined },
): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldQuestion(context, place);
  if (isRefusal(held)) return held;
  const { question, questions } = held;
  const sections = await sectionsOf(db, place.examId);
  const order = new Map(
    sections.map(({ id }) => [
      id,
      questions.filter((one) => one.section_id === id && one.parent_id === null).map((one) => one.id),
    ]),
  );
  const from = order.get(question.section_id) ?? [];
  const at = from.indexOf(question.id);
  const goal = typed === undefined ? stepFrom(order, question, to) : placeAt(order, question, typed);
  if (isRefusal(goal)) return goal;
  const { into, index } = goal;
  from.splice(at, 1);
  const target = order.get(into) ?? [];
  target.splice(index, 0, question.id);
  await storeOrder(
    db,
    questions,
    new Map([
      [question.section_id, from],
      [into, target],
    ]),
  );
  await recordExamHistory(context, place.examId, 'move-question', {
    before: { question_id: question.id, section_id: question.section_id, place: at + 1 },
    after: { question_id: question.id, section_id: into, place: index + 1 },
  });
  return null;
}

/** Ids of the questions of each section, in the order of the paper. */
type Order = ReadonlyMap<number, readonly number[]>;

interface Goal {
  /** Id of the section. */
  into: number;
  /** Index of the question in the section after the move. */
  index: number;
}

/** Finds the place one step up or down, which may be in the next section. */
function stepFrom(order: Order, { id, section_id }: StoredExamQuestion, to: Direction): Goal | Refusal {
  const step = to === 'up' ? -1 : 1;
  const from = order.get(section_id) ?? [];
  const index = from.indexOf(id) + step;
  if (index >= 0 && index < from.length) return { into: section_id, index };
  const sections = [...order.keys()];
  const into = sections[sections.indexOf(section_id) + step];
  if (into === undefined) return conflict(composingMessages[to === 'up' ? 'firstQuestion' : 'lastQuestion']);
  return { into, index: to === 'up' ? (order.get(into) ?? []).length : 0 };
}

/** Finds the place of the question with a typed number. */
function placeAt(order: Order, { id, section_id }: StoredExamQuestion, typed: string): Goal | Refusal {
  const places = [...order].flatMap(([into, ids]) => ids.map((one, index) => ({ one, into, index })));
  const number = parseWithin(typed, { min: 1, max: places.length });
  const goal = places[(number ?? 0) - 1];
  if (!number || !goal) return invalid({ place: [placeMessage(places.length)] });
  // From a section above, the question goes behind the one with the number, which moves up by one.
  const comesFromAbove = goal.into !== section_id && places.findIndex(({ one }) => one === id) < number;
  return { into: goal.into, index: goal.index + (comesFromAbove ? 1 : 0) };
}

/** Stores the positions of the questions that moved. */
async function storeOrder(
  db: Database,
  questions: readonly StoredExamQuestion[],
  order: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  for (const [section_id, ids] of order) {
    for (const [index, id] of ids.entries()) {
      const question = questions.find((one) => one.id === id);
      if (!question || (question.section_id === section_id && question.sort === index + 1)) continue;
      await db
        .updateTable('exam_question')
        .set({ section_id, sort: index + 1 })
        .where('id', '=', id)
        .execute();
      if (question.section_id === section_id) continue;
      await db.updateTable('exam_question').set({ section_id }).where('parent_id', '=', id).execute();
    }
  }
}
