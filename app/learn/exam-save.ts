/** Autosaves one answer of a running exam. */
import type { Route } from './+types/exam-save';
import { readAnswerForm, savedQuietly } from './answer-form.server.ts';
import { learner } from './client.server.ts';
import { goingOn, saveAnswer } from './exam-answer.server.ts';
import { learnExamSave } from './screens.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const { id, at } = learnExamSave.at(url);
  const client = context.get(learner);
  const form = await readAnswerForm({ request, context }, client);
  const exam = await goingOn(client, id);
  const question = exam?.questions[Math.min(at, exam.questions.length) - 1];
  if (!question) return savedQuietly({ ok: false, status: 409, msg: '考试已结束' }, form);
  const { shown, outcome } = await saveAnswer(client, { id, question }, form);
  if (!outcome) return savedQuietly({ ok: true }, form);
  if (!outcome.ok) return savedQuietly(outcome, form);
  const { answers, ends_at, now } = outcome.data;
  const hidden = { shown, version: String(answers[0]?.version ?? 0) };
  return savedQuietly(outcome, form, { hidden, left: ends_at === null ? null : ends_at - now });
}
