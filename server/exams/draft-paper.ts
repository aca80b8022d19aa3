/** Locks and reads the paper of a draft. Used by every change of its sections, questions and scores. */
import { isMaterial } from '#server/grading/rules.ts';
import { isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { lastChangedBy } from '#server/platform/db/history.ts';
import type { Exam } from '#server/schema/database.ts';
import type { RuleContext } from '#server/school/context.ts';
import { lockedExam } from './admin-changes.ts';
import { questionsOf } from './questions.ts';
import { missingSection, paperFault } from './rules.ts';

export type PaperContext = RuleContext<'actor' | 'now'>;

/** Locks an exam whose paper may still change. 404: not visible. 409: published. */
export async function lockedPaper(context: PaperContext, id: number): Promise<Exam | Refusal> {
  const held = await lockedExam(context, id);
  if (isRefusal(held)) return held;
  return refuseFor('conflict', paperFault(held.exam)) ?? held.exam;
}

/** Selects the sections of an exam in order. */
export const sectionsOf = (db: Database, examId: number) =>
  db
    .selectFrom('exam_section')
    .select(['id', 'name', 'introduce', 'sort'])
    .where('exam_id', '=', examId)
    .orderBy('sort')
    .orderBy('id')
    .execute();

/** Locks the paper; returns all its sections, and the one with `sectionId`. 404: no such section. */
export async function lockedSection(context: PaperContext, examId: number, sectionId: number | undefined) {
  const exam = await lockedPaper(context, examId);
  if (isRefusal(exam)) return exam;
  const sections = await sectionsOf(context.db, examId);
  const section = sections.find(({ id }) => id === sectionId);
  return section ? { sections, section } : missing(missingSection);
}

/**
 * Returns the name of the user who last changed these fields. Only its author changes a draft, so that is the same
 * person in another window.
 */
export const lastEditorOf = async ({ db }: PaperContext, examId: number, fields: readonly string[]) =>
  (await lastChangedBy(db, 'exam', examId, fields)) || '系统管理员';

/**
 * Updates sums that follow from question scores: the scores of material questions, the exam's full score, and the
 * number of questions.
 */
export async function updateDerivedSums(db: Database, examId: number): Promise<void> {
  const questions = await questionsOf(db, examId);
  const answerable = questions.filter(({ ques_type }) => !isMaterial(ques_type));
  const sum = (of: readonly { score: number }[]) => of.reduce((all, { score }) => all + score, 0);
  for (const { id, ques_type, score } of questions) {
    if (!isMaterial(ques_type)) continue;
    const parts = sum(answerable.filter(({ parent_id }) => parent_id === id));
    if (parts !== score) await db.updateTable('exam_question').set({ score: parts }).where('id', '=', id).execute();
  }
  await db
    .updateTable('exam')
    .set({ score: sum(answerable), ques_num: answerable.length })
    .where('id', '=', examId)
    .execute();
}

/** Deletes questions with their parts. */
export async function dropQuestions(db: Database, questions: readonly { id: number }[]): Promise<void> {
  if (questions.length === 0) return;
  const ids = questions.map(({ id }) => id);
  await db.deleteFrom('exam_question').where('parent_id', 'in', ids).execute();
  await db.deleteFrom('exam_question').where('id', 'in', ids).execute();
}
