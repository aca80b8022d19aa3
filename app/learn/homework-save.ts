/** Handles the autosave of a homework. */
import { textOf } from '../lib/form-data.ts';
import type { Route } from './+types/homework-save';
import { autosaveResponse, readAnswerForm, readAnswers } from './answer-form.server.ts';
import { Homework, HomeworkDraft } from './api-answers.ts';
import { learnerContext } from './client.server.ts';
import { learnHomeworkSave } from './screens.ts';
import { timeSpent } from './time-spent.server.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const { id } = learnHomeworkSave.at(url);
  const client = context.get(learnerContext);
  const form = await readAnswerForm({ request, context }, client);
  const { questions } = await client.get(`homework/${id}`, Homework);
  const body = {
    version: Number(textOf(form.fields, 'version')) || 0,
    answer_time: timeSpent(form.fields),
    answers: readAnswers(questions, form),
  };
  const saved = await client.post(`homework/${id}/draft`, body, HomeworkDraft);
  return autosaveResponse(saved, form, saved.ok ? { hidden: { version: String(saved.data.version) } } : {});
}
