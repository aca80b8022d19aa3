/** Saves one answer of a running exam. */
import { textOf } from '../lib/form-data.ts';
import { type AnswerForm, readAnswers } from './answer-form.server.ts';
import { Exam, SavedAnswers } from './api-answers.ts';
import type { LearnerClient } from './client.server.ts';
import { serializeAnswer } from './question-answer.ts';

/** Returns a running exam with all its questions. Null if the exam is not running. */
export async function loadRunningExam(client: LearnerClient, id: number) {
  const exam = await client.get(`exams/${id}`, Exam);
  return exam.attempt && { ...exam, questions: exam.paper?.flatMap((section) => section.questions) ?? [] };
}
type RunningExam = NonNullable<Awaited<ReturnType<typeof loadRunningExam>>>;

/**
 * Fingerprint of an answer. If it equals the fingerprint from when the page was opened, the answer is not sent, because
 * it would overwrite a save of another device.
 */
export const answerFingerprint = (isSigned: number, answer: string): string => `${isSigned} ${answer}`;

/** Saves the answer if it was changed. Otherwise `outcome` is undefined. */
export async function saveAnswer(
  client: LearnerClient,
  { id, question }: { id: number; question: RunningExam['questions'][number] },
  form: AnswerForm,
) {
  const { fields } = form;
  const [answer] = readAnswers([question], form);
  const sent = {
    ques_id: question.id,
    user_answer: answer?.user_answer ?? '',
    is_sign: fields.get('is_sign') === '1' ? 1 : 0,
    version: Number(textOf(fields, 'version')) || 0,
  };
  const shown = answerFingerprint(sent.is_sign, serializeAnswer(sent.user_answer));
  const isChanged = textOf(fields, 'shown').replaceAll('\r\n', '\n') !== shown;
  const outcome = isChanged ? await client.post(`exams/${id}/answers`, { answers: [sent] }, SavedAnswers) : undefined;
  return { sent, shown, outcome };
}

/** True for a 409 because another device has saved since. The exam itself goes on. */
export const isOtherDeviceConflict = (outcome: { status: number; data?: unknown }): boolean =>
  outcome.status === 409 && typeof outcome.data === 'object' && outcome.data !== null && 'not_kept' in outcome.data;
