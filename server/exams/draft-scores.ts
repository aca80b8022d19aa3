/** Sets the scores of a draft's questions, and records each change in the history. */
import { isMaterial } from '#server/grading/rules.ts';
import { editConflict, mergeEdit } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { pointsBetween } from './admin.contract.ts';
import { recordExamHistory } from './admin-changes.ts';
import { scoreFields } from './admin-record.ts';
import { lastEditorOf, lockedPaper, lockedSection, type PaperContext, updateDerivedSums } from './draft-paper.ts';
import { examSections, flattenQuestions, questionsOf, type StoredExamQuestion } from './questions.ts';
import { composingMessages, examPoints, maxQuestionScore, missingExamQuestion } from './rules.ts';

const QuestionScore = pointsBetween(1, maxQuestionScore, composingMessages.score);

/** Parses typed points to tenths; undefined if invalid. */
export function scoreOf(typed: string): number | undefined {
  const { output } = validateComplete(QuestionScore, typed);
  return output;
}

export interface TypedScore {
  id: number;
  score: string;
}

/** Parses typed scores to tenths by question. Blank ones are left out. 422: errors at `score-<id>`. */
export function readScores(typed: readonly TypedScore[]): ReadonlyMap<number, number> | Refusal {
  const errors: FieldErrors = {};
  const scores = new Map<number, number>();
  for (const { id, score } of typed) {
    if (score === '') continue;
    const tenths = scoreOf(score);
    if (tenths === undefined) errors[`score-${id}`] = [composingMessages.score];
    else scores.set(id, tenths);
  }
  return Object.keys(errors).length > 0 ? invalid(errors) : scores;
}

/**
 * Sets scores, all or none. 404: not visible. 409: published, or a score changed meanwhile. 422: errors at
 * `score-<id>`.
 */
export async function storeScores(
  context: PaperContext,
  examId: number,
  { scores: typed, seen }: { scores: readonly TypedScore[]; seen: string },
): Promise<null | Refusal> {
  const exam = await lockedPaper(context, examId);
  if (isRefusal(exam)) return exam;
  const questions = (await questionsOf(context.db, examId)).filter(({ ques_type }) => !isMaterial(ques_type));
  const errors: FieldErrors = {};
  const scores = new Map<number, number>();
  for (const { id, score } of typed) {
    const question = questions.find((one) => one.id === id);
    if (!question) return missing(missingExamQuestion);
    // A blank field means that the question has no score yet.
    const tenths = score === '' ? 0 : scoreOf(score);
    if (tenths === undefined) errors[`score-${id}`] = [composingMessages.score];
    else scores.set(id, tenths);
  }
  if (Object.keys(errors).length > 0) return invalid(errors);
  const now = scoreFields(questions);
  const written = scoreFields(questions.map((one) => ({ ...one, score: scores.get(one.id) ?? one.score })));
  const { merged, conflicts, both } = mergeEdit<Record<string, number>>(seen, now, written);
  if (conflicts.length > 0) {
    const numbered = flattenQuestions(await examSections(context.db, examId));
    return editConflict(both, {
      by: await lastEditorOf(context, examId, ['scores']),
      nameOf: Object.fromEntries(numbered.map(({ id, number }) => [`score-${id}`, `第${number}题分值`])),
      shown: (_, value) => (Number(value) === 0 ? '空' : String(examPoints(Number(value)))),
    });
  }
  const kept = new Map(questions.map(({ id, score }) => [id, merged[`score-${id}`] ?? score]));
  const blanked = questions.filter(({ id, score }) => kept.get(id) === 0 && score !== 0);
  if (blanked.length > 0) {
    return invalid(Object.fromEntries(blanked.map(({ id }) => [`score-${id}`, [composingMessages.score]])));
  }
  await setScores(context, examId, { questions, scores: kept });
  return null;
}

/**
 * Sets one score for all questions of a section. 404: no such section. 409: published, or no questions. 422: errors by
 * field.
 */
export async function storeSectionScore(
  context: PaperContext,
  { examId, sectionId }: { examId: number; sectionId: number },
  typed: string,
): Promise<null | Refusal> {
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  const tenths = scoreOf(typed);
  if (tenths === undefined) return invalid({ score: [composingMessages.score] });
  const questions = (await questionsOf(context.db, examId)).filter(
    ({ ques_type, section_id }) => !isMaterial(ques_type) && section_id === sectionId,
  );
  if (questions.length === 0) return conflict(composingMessages.noneToScore);
  const scores = new Map(questions.map(({ id }) => [id, tenths]));
  await setScores(context, examId, { questions, scores });
  return null;
}

async function setScores(
  context: PaperContext,
  examId: number,
  { questions, scores }: { questions: readonly StoredExamQuestion[]; scores: ReadonlyMap<number, number> },
): Promise<void> {
  const { db } = context;
  const changed = questions.filter(({ id, score }) => (scores.get(id) ?? score) !== score);
  if (changed.length === 0) return;
  for (const score of new Set(changed.map(({ id }) => scores.get(id) as number))) {
    const ids = changed.flatMap(({ id }) => (scores.get(id) === score ? [id] : []));
    await db.updateTable('exam_question').set({ score, answer_score: '' }).where('id', 'in', ids).execute();
  }
  await updateDerivedSums(db, examId);
  const pointsOf = (of: (question: StoredExamQuestion) => number) => ({
    questions: changed.map(({ id }) => id),
    scores: changed.map((question) => examPoints(of(question))),
  });
  await recordExamHistory(context, examId, 'score', {
    before: pointsOf(({ score }) => score),
    after: pointsOf(({ id }) => scores.get(id) as number),
  });
}
