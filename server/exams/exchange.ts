/** Exchanges a question of a draft for a similar one of a bank, and puts it back. */
import { isMaterial } from '#server/grading/rules.ts';
import { conflict, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { similarQuestion } from '#server/questions/compose.ts';
import { questionDetails } from '#server/questions/detail.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { bankOwners, composableQuestions, survivingIds } from '#server/questions/visible.ts';
import type { RuleContext } from '#server/school/context.ts';
import { recordExamHistory } from './admin-changes.ts';
import { type PaperContext, updateDerivedSums } from './draft-paper.ts';
import { contentOf, draftOf, heldQuestion, partsOf, type QuestionPlace, storeParts } from './draft-questions.ts';
import type { StoredExamQuestion } from './questions.ts';
import { composingMessages } from './rules.ts';

type ExchangeContext = RuleContext<'actor' | 'now' | 'settings'>;

/** Content of a question as stored, to put it back. */
const keptContent = ({
  id: _id,
  exam_id: _exam,
  section_id: _section,
  parent_id: _parent,
  sort: _sort,
  ...content
}: StoredExamQuestion) => content;
type KeptContent = ReturnType<typeof keptContent>;

interface Exchange {
  question_id: number;
  source_id: number | null;
  kept: { question: KeptContent; parts: KeptContent[] };
}

/**
 * Exchanges a question. 404: no such question. 409: published, or there is no other question with its type, knowledge
 * point and difficulty.
 */
export async function exchangeQuestion(context: ExchangeContext, place: QuestionPlace): Promise<null | Refusal> {
  const { db, actor, settings } = context;
  const held = await heldQuestion(context, place);
  if (isRefusal(held)) return held;
  const { question, questions } = held;
  const parts = partsOf(question, questions);
  const earlier = await exchangesOf(db, place);
  const id = await similarQuestion(db, {
    ques_type: question.ques_type,
    facility_value: question.facility_value,
    ...(await whereToSearch(context, question)),
    excluded: [...questions, ...earlier.exchanges].flatMap(({ source_id }) => source_id ?? []),
  });
  if (isRefusal(id)) return id;
  const details = await questionDetails(db, actor, composableQuestions(db, actor, settings), [id]);
  if (isRefusal(details)) return details;
  const [detail] = details;
  if (!detail) return missing(missingQuestion);
  const draft = draftOf(detail);
  const points = JSON.stringify(detail.point_name ? [detail.point_name] : []);
  await replaceQuestion(db, question, { ...contentOf(draft), source_id: id, points, attachments: '[]' });
  const usual = isMaterial(question.ques_type) ? (parts[0]?.score ?? 0) : 0;
  await storeParts(db, question, draft.ques_item, (_, index) => parts[index]?.score ?? usual);
  await updateDerivedSums(db, place.examId);
  const kept = { question: keptContent(question), parts: parts.map(keptContent) };
  const { id: question_id, source_id, ques_stem } = question;
  await recordExamHistory(context, place.examId, 'exchange-question', {
    before: { question_id, source_id, ques_stem, kept },
    after: { question_id, source_id: id, ques_stem: draft.ques_stem },
  });
  return null;
}

/** Puts back the question. 404: no such question. 409: published, or not exchanged, or edited since. */
export async function undoExchange(context: PaperContext, place: QuestionPlace): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldQuestion(context, place);
  if (isRefusal(held)) return held;
  const { question } = held;
  const { exchanges, isLatest } = await exchangesOf(db, place);
  const [exchange] = exchanges;
  if (!exchange || !isLatest) return conflict(composingMessages.notExchanged);
  const { kept } = exchange;
  const partsNow = partsOf(question, held.questions);
  await replaceQuestion(db, question, withScoreOf(question, kept.question));
  const { exam_id, section_id } = question;
  const parts = kept.parts.map((part, index) => ({
    ...withScoreOf(partsNow[index], part),
    exam_id,
    section_id,
    parent_id: question.id,
    sort: index + 1,
  }));
  if (parts.length > 0) await db.insertInto('exam_question').values(parts).execute();
  await updateDerivedSums(db, place.examId);
  await recordExamHistory(context, place.examId, 'undo-exchange', {
    before: { question_id: question.id, source_id: question.source_id, ques_stem: question.ques_stem },
    after: { question_id: question.id, source_id: kept.question.source_id, ques_stem: kept.question.ques_stem },
  });
  return null;
}

/** Gives the content the score that its place has now. Scores of blanks belong to their earlier sum. */
function withScoreOf(now: StoredExamQuestion | undefined, kept: KeptContent): KeptContent {
  return !now || now.score === kept.score ? kept : { ...kept, score: now.score, answer_score: '' };
}

/** Overwrites the content of a question, and deletes its parts. */
async function replaceQuestion(db: Database, { id }: StoredExamQuestion, content: Partial<KeptContent>) {
  await db.updateTable('exam_question').set(content).where('id', '=', id).execute();
  await db.deleteFrom('exam_question').where('parent_id', '=', id).execute();
}

/** Returns the knowledge point of the question's source, and the banks to search, beginning with its own. */
async function whereToSearch({ db, actor, settings }: ExchangeContext, { source_id }: StoredExamQuestion) {
  const [id = 0] = (await survivingIds(db, source_id === null ? [] : [source_id])).values();
  const source = await composableQuestions(db, actor, settings)
    .select(['question.owner_id', 'question.point_id'])
    .where('question.id', '=', id)
    .executeTakeFirst();
  const owner = await bankOwners(db, actor)
    .select('staff.id')
    .where('staff.id', '=', source?.owner_id ?? actor.id)
    .executeTakeFirst();
  const banks = new Set([
    ...(owner ? [owner.id] : []),
    ...(settings.switch_question_module ? ['public' as const] : []),
  ]);
  return { pointId: source?.point_id ?? null, banks: [...banks.add(actor.id)] };
}

/**
 * Reads the exchanges of a question from the history, the latest first, without those that were undone. `isLatest`: the
 * question was not edited since.
 */
async function exchangesOf(db: Database, { examId, questionId }: QuestionPlace) {
  const rows = await db
    .selectFrom('history')
    .select(['action', 'before'])
    .where('record', '=', 'exam')
    .where('record_id', '=', examId)
    .where('action', 'in', ['exchange-question', 'undo-exchange', 'edit-question'])
    .orderBy('id', 'desc')
    .execute();
  const changes = rows
    .map(({ action, before }) => ({ action, exchange: JSON.parse(before ?? '{}') as Exchange }))
    .filter(({ exchange }) => exchange.question_id === questionId);
  const exchanges: Exchange[] = [];
  let undone = 0;
  for (const { action, exchange } of changes) {
    if (action === 'undo-exchange') undone += 1;
    else if (action === 'exchange-question' && undone > 0) undone -= 1;
    else if (action === 'exchange-question') exchanges.push(exchange);
  }
  return { exchanges, isLatest: changes[0]?.action !== 'edit-question' };
}
