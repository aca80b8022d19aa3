/** Selects the questions of a homework for an export. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { ExportSelection } from '#server/questions/export/export-file.ts';
import { exportQuestion } from '#server/questions/export/own-questions.ts';
import type { HomeworkQuestion } from './copies.contract.ts';
import { questionsOf } from './questions.ts';
import { missingHomework } from './rules.ts';
import { findVisibleHomework } from './visible.ts';

/** 404: not visible. */
export async function homeworkSelection(db: Database, actor: Actor, id: number): Promise<ExportSelection | Refusal> {
  const homework = await findVisibleHomework(db, actor, id);
  if (!homework) return missing(missingHomework);
  const questions = await questionsOf(db, [id]);
  return {
    title: homework.name,
    questions: questions.map((question, index) =>
      exportQuestion<Omit<HomeworkQuestion, 'ques_item'>>(question, String(index + 1), ({ ques_score }) => ques_score),
    ),
    losses: [],
  };
}
