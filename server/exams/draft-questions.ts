/**
 * Adds, edits and moves questions of a draft: from banks, by hand and from files. Every change is recorded in the
 * history.
 */
import { isMaterial } from '#server/grading/rules.ts';
import { mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseField } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields } from '#server/platform/db/history.ts';
import type { QuestionDetail, WrittenQuestion } from '#server/questions/contract.ts';
import { questionDetails } from '#server/questions/detail.ts';
import { type QuestionContent, questionConflict, questionContent } from '#server/questions/edit-conflict.ts';
import { storeImportedQuestions } from '#server/questions/import/commit.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import { composableQuestions, survivingIds } from '#server/questions/visible.ts';
import { validateDraft } from '#server/questions/write.ts';
import type { RuleContext } from '#server/school/context.ts';
import { recordExamHistory } from './admin-changes.ts';
import {
  dropQuestions,
  lastEditorOf,
  lockedPaper,
  lockedSection,
  type PaperContext,
  updateDerivedSums,
} from './draft-paper.ts';
import { readScores, type TypedScore } from './draft-scores.ts';
import { questionsOf, type StoredExamQuestion } from './questions.ts';
import {
  alreadyOnPaperFault,
  composingMessages,
  examQuestionLimit,
  isMatching,
  missingExam,
  missingExamQuestion,
} from './rules.ts';
import { examOptions } from './stored-options.ts';
import { adminExams } from './visible.ts';

interface NewQuestion {
  draft: QuestionDraft;
  source_id: number | null;
  /** Names of the question's knowledge points. */
  points: string[];
  /** Scores in tenths, one for each part of a material question, if a file names some. */
  scores?: (number | null)[];
}

const countAnswers = ({ ques_type, ques_item }: QuestionDraft): number =>
  isMaterial(ques_type) ? ques_item.length : 1;

/**
 * Adds questions at the end of a section. Each gets its score of the file, else that of the section's last question
 * of the same type, or 0.
 */
async function append(
  db: Database,
  { examId, sectionId }: { examId: number; sectionId: number },
  added: readonly NewQuestion[],
): Promise<number[] | Refusal> {
  const there = await questionsOf(db, examId);
  const carrying = there.filter(({ ques_type }) => !isMaterial(ques_type)).length;
  if (carrying + added.reduce((sum, { draft }) => sum + countAnswers(draft), 0) > examQuestionLimit) {
    return conflict(composingMessages.tooMany);
  }
  const inSection = there.filter(({ section_id }) => section_id === sectionId);
  const scoreOf = (type: number) => inSection.findLast(({ ques_type }) => ques_type === type)?.score ?? 0;
  const last = inSection.findLast(({ parent_id }) => parent_id === null)?.sort ?? 0;
  const ids: number[] = [];
  for (const [index, { draft, source_id, points, scores = [] }] of added.entries()) {
    const { id } = await db
      .insertInto('exam_question')
      .values({
        ...contentOf(draft),
        exam_id: examId,
        section_id: sectionId,
        source_id,
        parent_id: null,
        sort: last + index + 1,
        score: (isMaterial(draft.ques_type) ? undefined : scores[0]) ?? scoreOf(draft.ques_type),
        points: JSON.stringify(points),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await storeParts(
      db,
      { id, exam_id: examId, section_id: sectionId },
      draft.ques_item,
      (part, index) => scores[index] ?? scoreOf(part.ques_type),
    );
    ids.push(id);
  }
  await updateDerivedSums(db, examId);
  return ids;
}

export const contentOf = (draft: QuestionDraft) => ({
  ques_type: draft.ques_type,
  ques_stem: draft.ques_stem,
  ques_option: JSON.stringify(draft.ques_option),
  right_answer: draft.right_answer,
  ignore_case: draft.ignore_case,
  ques_analysis: draft.ques_analysis,
  facility_value: draft.facility_value,
  // Blank: all blanks of a fill-in question share its score equally.
  answer_score: '',
});

export async function storeParts(
  db: Database,
  { id, exam_id, section_id }: Pick<StoredExamQuestion, 'id' | 'exam_id' | 'section_id'>,
  parts: readonly QuestionDraft[],
  scoreOf: (part: QuestionDraft, index: number) => number,
): Promise<void> {
  if (parts.length === 0) return;
  const rows = parts.map((part, index) => ({
    ...contentOf(part),
    exam_id,
    section_id,
    source_id: null,
    parent_id: id,
    sort: index + 1,
    score: scoreOf(part, index),
  }));
  await db.insertInto('exam_question').values(rows).execute();
}

interface Place {
  examId: number;
  sectionId: number | undefined;
}

/**
 * Adds questions of banks. 404: exam or question not visible. 409: published, or too many questions. 422: none chosen,
 * one is on the paper already, or a score at `score-<id>`.
 */
export async function addFromBanks(
  context: RuleContext<'actor' | 'now' | 'settings'>,
  { examId, sectionId }: Place,
  { ids, scores: typed }: { ids: number[]; scores: readonly TypedScore[] },
): Promise<{ ids: number[] } | Refusal> {
  const { db, actor, settings } = context;
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  if (ids.length === 0) return invalid({ ids: [composingMessages.noQuestions] });
  const sources = (await questionsOf(db, examId)).flatMap(({ source_id }) => source_id ?? []);
  const present = new Set((await survivingIds(db, sources)).values());
  const again = refuseField('ids', alreadyOnPaperFault(ids.filter((id) => present.has(id)).length));
  if (again) return again;
  const scores = readScores(typed);
  if (isRefusal(scores)) return scores;
  const details = await questionDetails(db, actor, composableQuestions(db, actor, settings), ids);
  if (isRefusal(details)) return details;
  const added = details.map((detail) => ({
    draft: draftOf(detail),
    source_id: detail.id,
    points: detail.point_name ? [detail.point_name] : [],
    scores: Array.from({ length: Math.max(1, detail.ques_item.length) }, () => scores.get(detail.id) ?? null),
  }));
  return recordAdded(context, { examId, sectionId: held.section.id }, added);
}

export const draftOf = ({ ques_item, tags: _, ...detail }: Omit<QuestionDetail, 'display'>): QuestionDraft => ({
  ...detail,
  ques_item: ques_item.map((part) => ({ ...part, ques_item: [] })),
});

async function recordAdded(
  context: PaperContext,
  place: { examId: number; sectionId: number },
  added: readonly NewQuestion[],
): Promise<{ ids: number[] } | Refusal> {
  const ids = await append(context.db, place, added);
  if (isRefusal(ids)) return ids;
  await recordExamHistory(context, place.examId, 'add-questions', {
    before: null,
    after: { section_id: place.sectionId, questions: ids },
  });
  return { ids };
}

/**
 * Adds a question written by hand. 404: exam not visible. 409: published, or too many questions. 422: errors by field.
 */
export async function addByHand(
  context: PaperContext,
  { examId, sectionId }: Place,
  written: WrittenQuestion,
): Promise<{ ids: number[] } | Refusal> {
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  const draft = validateDraft(written);
  if (isRefusal(draft)) return draft;
  return recordAdded(context, { examId, sectionId: held.section.id }, [{ draft, source_id: null, points: [] }]);
}

/**
 * Adds questions of an uploaded file. 404: not visible. 409: published, too many questions, or the file is still being
 * parsed. 422: errors in the file.
 */
export async function addFromFile(
  context: PaperContext,
  { examId, sectionId }: Place,
  { importId, scope }: { importId: string; scope: 'all' | 'good' },
): Promise<{ ids: number[] } | Refusal> {
  const { db, actor, now } = context;
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  const place = { examId, sectionId: held.section.id };
  const ids = await storeImportedQuestions(db, actor, { id: importId, scope, now }, (questions) =>
    append(
      db,
      place,
      questions.map(({ draft, scores }) => ({ draft, source_id: null, points: [], scores })),
    ),
  );
  if (isRefusal(ids)) return ids;
  await recordExamHistory(context, examId, 'add-questions', {
    before: null,
    after: { section_id: place.sectionId, questions: ids },
  });
  return { ids };
}

export interface QuestionPlace {
  examId: number;
  questionId: number;
}

/** Locks a question of a draft. Parts of material questions count as missing. 404: no such question. */
export async function heldQuestion(context: PaperContext, { examId, questionId }: QuestionPlace) {
  const exam = await lockedPaper(context, examId);
  if (isRefusal(exam)) return exam;
  const questions = await questionsOf(context.db, examId);
  const question = questions.find(({ id, parent_id }) => id === questionId && parent_id === null);
  return question ? { question, questions } : missing(missingExamQuestion);
}

/** Returns a question for its form. 404: no such question. 409: a matching question, for which there is no form. */
export async function writtenQuestion({ db, actor }: RuleContext<'actor'>, { examId, questionId }: QuestionPlace) {
  const seen = await adminExams(db, actor).select('exam.id').where('exam.id', '=', examId).executeTakeFirst();
  if (!seen) return missing(missingExam);
  const questions = await questionsOf(db, examId);
  const question = questions.find(({ id, parent_id }) => id === questionId && parent_id === null);
  if (!question) return missing(missingExamQuestion);
  const written = toWrittenQuestion(question, partsOf(question, questions));
  return isRefusal(written) ? written : { ...written, seen: versionTokenOf(questionContent(written)) };
}

export const partsOf = ({ id }: StoredExamQuestion, questions: readonly StoredExamQuestion[]) =>
  questions.filter(({ parent_id }) => parent_id === id);

function toWrittenQuestion(question: StoredExamQuestion, parts: readonly StoredExamQuestion[]) {
  if ([question, ...parts].some(({ ques_option }) => isMatching(examOptions(ques_option)))) {
    return conflict(composingMessages.matching);
  }
  return { ...storedDraft(question), ques_item: parts.map(storedDraft) };
}

const storedDraft = (question: StoredExamQuestion) => ({
  ques_type: question.ques_type as QuestionDraft['ques_type'],
  ques_stem: question.ques_stem,
  ques_option: examOptions(question.ques_option).map(({ id, content, is_right }) => ({ id, content, is_right })),
  right_answer: question.right_answer,
  ignore_case: question.ignore_case,
  ques_analysis: question.ques_analysis,
  facility_value: Math.min(5, Math.max(1, question.facility_value)) as 1 | 2 | 3 | 4 | 5,
  remark: '',
});

/**
 * Edits a question. 404: no such question. 409: published, a matching question, or edited meanwhile. 422: errors by
 * field.
 */
export async function editByHand(
  context: PaperContext,
  place: QuestionPlace,
  { seen, ...written }: WrittenQuestion & { seen: string },
): Promise<null | Refusal> {
  const { db } = context;
  const held = await heldQuestion(context, place);
  if (isRefusal(held)) return held;
  const { question } = held;
  const parts = partsOf(question, held.questions);
  const before = toWrittenQuestion(question, parts);
  if (isRefusal(before)) return before;
  const accepted = validateDraft(written);
  if (isRefusal(accepted)) return accepted;
  const now = questionContent(before);
  const { merged, conflicts, both } = mergeEdit<QuestionContent>(seen, now, questionContent(accepted));
  if (conflicts.length > 0) {
    return questionConflict(both, await lastEditorOf(context, place.examId, conflicts));
  }
  // If two windows edited different fields, the combined question must be valid as a whole.
  const draft = validateDraft(merged);
  if (isRefusal(draft)) return draft;
  await db.updateTable('exam_question').set(contentOf(draft)).where('id', '=', question.id).execute();
  await db.deleteFrom('exam_question').where('parent_id', '=', question.id).execute();
  await storeParts(db, question, draft.ques_item, (_, index) => parts[index]?.score ?? 0);
  await updateDerivedSums(db, place.examId);
  const after = { ...draft, ques_item: draft.ques_item.map(({ ques_item: _, ...part }) => part) };
  const change = changedFields<Record<string, unknown>>(before, after);
  if (change.names.length === 0) return null;
  await recordExamHistory(context, place.examId, 'edit-question', {
    before: { question_id: question.id, ...change.before },
    after: { question_id: question.id, ...change.after },
  });
  return null;
}

/** Deletes a question from the paper. 404: no such question. 409: published. */
export async function removeQuestion(context: PaperContext, place: QuestionPlace): Promise<null | Refusal> {
  const held = await heldQuestion(context, place);
  if (isRefusal(held)) return held;
  const { question } = held;
  await dropQuestions(context.db, [question]);
  await updateDerivedSums(context.db, place.examId);
  await recordExamHistory(context, place.examId, 'remove-question', {
    before: {
      question_id: question.id,
      source_id: question.source_id,
      score: question.score,
      ...storedDraft(question),
    },
    after: null,
  });
  return null;
}
