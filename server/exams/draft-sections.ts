import { editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { changedFields } from '#server/platform/db/history.ts';
import { recordExamHistory } from './admin-changes.ts';
import { sectionFields } from './admin-record.ts';
import { CompleteSection, type Direction, type EditedExamSection, type NewExamSection } from './composing.contract.ts';
import {
  dropQuestions,
  lastEditorOf,
  lockedPaper,
  lockedSection,
  type PaperContext,
  sectionsOf,
  updateDerivedSums,
} from './draft-paper.ts';
import { questionsOf } from './questions.ts';
import { composingMessages, sectionContent } from './rules.ts';

/** Adds a section to a draft. 404: not visible. 409: published. 422: errors by field. */
export async function insertSection(context: PaperContext, examId: number, written: NewExamSection) {
  const { db } = context;
  const exam = await lockedPaper(context, examId);
  if (isRefusal(exam)) return exam;
  const { output: fields, errors } = validateComplete(CompleteSection, written);
  if (!fields) return invalid(errors);
  const sort = ((await sectionsOf(db, examId)).at(-1)?.sort ?? 0) + 1;
  const section = await db
    .insertInto('exam_section')
    .values({ ...fields, exam_id: examId, sort })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordExamHistory(context, examId, 'add-section', { before: null, after: { ...section, ...fields } });
  return section;
}

/** Edits a section. 404: no such section. 409: published, or edited meanwhile. 422: errors by field. */
export async function updateSection(
  context: PaperContext,
  { examId, sectionId }: { examId: number; sectionId: number },
  written: EditedExamSection,
): Promise<null | Refusal> {
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  const { output, errors } = validateComplete(CompleteSection, written);
  if (!output) return invalid(errors);
  const { id, name, introduce } = held.section;
  const now = sectionFields(held.section);
  const { merged, conflicts, both } = mergeEdit<Record<string, string>>(
    written.seen,
    now,
    sectionFields({ id, ...output }),
  );
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: await lastEditorOf(context, examId, ['name', 'introduce']),
      nameOf: { [`name-${id}`]: '部分名称', [`introduce-${id}`]: '部分说明' },
      shown: (_, value) => String(value) || '空',
    });
  }
  const next = { name: merged[`name-${id}`] ?? name, introduce: merged[`introduce-${id}`] ?? introduce };
  const change = changedFields({ name, introduce }, next);
  if (change.names.length === 0) return null;
  await context.db.updateTable('exam_section').set(next).where('id', '=', id).execute();
  await recordExamHistory(context, examId, 'edit-section', {
    before: { id, ...change.before },
    after: { id, ...change.after },
  });
  return null;
}

/** Deletes a section. 404: no such section. 409: published, or the loss of its questions was not acknowledged. */
export async function deleteSection(
  context: PaperContext,
  { examId, sectionId }: { examId: number; sectionId: number },
  acknowledged: string,
): Promise<null | Refusal> {
  const { db } = context;
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  const { id, name } = held.section;
  const questions = (await questionsOf(db, examId)).filter((question) => question.section_id === id);
  const topQuestions = questions.filter(({ parent_id }) => parent_id === null);
  const unsaid = requireConfirmation(sectionContent(topQuestions.length), acknowledged);
  if (unsaid) return unsaid;
  await dropQuestions(db, topQuestions);
  await db.deleteFrom('exam_section').where('id', '=', id).execute();
  await updateDerivedSums(db, examId);
  await recordExamHistory(context, examId, 'remove-section', {
    before: { id, name, questions: topQuestions.map((question) => question.id) },
    after: null,
  });
  return null;
}

/** Moves a section by one place. 404: no such section. 409: published, or at the end. */
export async function moveSectionOf(
  context: PaperContext,
  { examId, sectionId }: { examId: number; sectionId: number },
  to: Direction,
): Promise<null | Refusal> {
  const held = await lockedSection(context, examId, sectionId);
  if (isRefusal(held)) return held;
  const ids = held.sections.map(({ id }) => id);
  const from = ids.indexOf(held.section.id);
  const place = from + (to === 'up' ? -1 : 1);
  if (place < 0) return conflict(composingMessages.firstSection);
  if (place >= ids.length) return conflict(composingMessages.lastSection);
  ids.splice(place, 0, ...ids.splice(from, 1));
  for (const { id, sort } of held.sections) {
    const next = ids.indexOf(id) + 1;
    if (sort !== next) await context.db.updateTable('exam_section').set({ sort: next }).where('id', '=', id).execute();
  }
  await recordExamHistory(context, examId, 'move-section', {
    before: { id: sectionId, place: from + 1 },
    after: { id: sectionId, place: place + 1 },
  });
  return null;
}
