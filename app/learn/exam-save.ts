/** Handles the autosave of one answer in a running exam. */
import type { Route } from './+types/exam-save';
import { autosaveResponse, readAnswerForm } from './answer-form.server.ts';
import { learnerContext } from './client.server.ts';
import { loadRunningExam, saveAnswer } from './exam-answer.server.ts';
import { learnExamSave } from './screens.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const { id, at } = learnExamSave.at(url);
  const client = context.get(learnerContext);
  const form = await readAnswerForm({ request, context }, client);
  const exam = await loadRunningExam(client, id);
  const question = exam?.questions[Math.min(at, exam.questions.length) - 1];
  if (!question) return autosaveResponse({ ok: false, status: 409, msg: '考试已结束' }, form);
  const { shown, outcome } = await saveAnswer(client, { id, question }, form);
  if (!outcome) return autosaveResponse({ ok: true }, form);
  if (!outcome.ok) return autosaveResponse(outcome, form);
  const { answers, ends_at, now } = outcome.data;
  const hidden = { shown, version: String(answers[0]?.version ?? 0) };
  return autosaveResponse(outcome, form, { hidden, left: ends_at === null ? null : ends_at - now });
}
