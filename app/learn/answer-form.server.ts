/**
 * Reads a form of answers. Stores each picture as it arrives. If the form is refused, nothing that was typed is lost.
 */
import { data } from 'react-router';
import { notAPhotoMessage, pictureBytes, pictureTooLargeMessage } from '#server/platform/files/rules.ts';
import { idempotencyKeyAfter, type RefusedOutcome } from '../api/outcome.server.ts';
import { readPostedForm } from '../shell/form-action.server.ts';
import type { FormRequest } from '../shell/form-request.ts';
import { readFormWithFiles } from '../shell/form-with-file.server.ts';
import { isMultipart, postedContext } from '../shell/posted-form.server.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import type { Question } from './api-answers.ts';
import type { LearnerClient } from './client.server.ts';
import { fieldOf, imageField, questionOfFile, readAnswer, type SentAnswer } from './question-answer.ts';
import { maxPictures, tooManyPictures } from './terms.ts';

export interface AnswerForm {
  fields: FormData | URLSearchParams;
  /** `added`: paths of stored pictures by question id. `faults`: why other pictures were refused. */
  added: Map<number, string[]>;
  faults: Map<number, string>;
}

export async function readAnswerForm(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  client: LearnerClient,
): Promise<AnswerForm> {
  const added: AnswerForm['added'] = new Map();
  const faults: AnswerForm['faults'] = new Map();
  // A form that is posted again after sign-in has lost its files, so it is not multipart.
  if (!isMultipart(request)) return { fields: await readPostedForm(request, context), added, faults };
  const fields = await readFormWithFiles(request, context, pictureBytes, async (file, field) => {
    const id = questionOfFile(field);
    const before = added.get(id) ?? [];
    if (id === 0 || before.length >= maxPictures) return void faults.set(id, tooManyPictures);
    if (file === 'too-large') return void faults.set(id, pictureTooLargeMessage(pictureBytes));
    const outcome = await client.picture(file);
    if (outcome.ok) added.set(id, [...before, outcome.data.path]);
    else faults.set(id, pictureFaultOf(outcome));
  });
  // Keeps the typed text, in case an error page is shown.
  context.set(postedContext, textsOf(fields));
  return { fields, added, faults };
}

/** Returns why a picture was refused. */
export const pictureFaultOf = ({ status, msg, errors }: RefusedOutcome): string =>
  errors?.file?.[0] ?? (status === 415 ? notAPhotoMessage : msg);

const textsOf = (fields: AnswerForm['fields']): [string, string][] =>
  [...fields].flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []));

/** Lists the typed texts of a form, for error pages. Leaves out ids of options. */
export const typedTexts = ({ fields }: AnswerForm): string[] =>
  textsOf(fields)
    .filter(([name, value]) => value.trim() !== '' && (/^q\d+_blank\d+$/.test(name) || /^q\d+$/.test(name)))
    .map(([, value]) => value)
    .filter((value) => !/^\d{1,2}$/.test(value));

/** JSON response to the autosave script. */
export interface AutosaveResponse {
  msg?: string;
  /** Hidden fields to set: the versions of the saved answers and, in an exam, the saved answer itself. */
  hidden?: Record<string, string>;
  /** Seconds left in an exam. Null without a time limit. */
  left?: number | null;
}

export function autosaveResponse(
  outcome: { ok: true } | RefusedOutcome,
  { faults }: AnswerForm,
  saved: AutosaveResponse = {},
): Response {
  const [fault] = faults.values();
  const msg = outcome.ok ? fault : (Object.values(outcome.errors ?? {})[0]?.[0] ?? outcome.msg);
  const body: AutosaveResponse = { ...saved, ...(msg !== undefined && { msg }) };
  return Response.json(body, { status: outcome.ok ? 200 : outcome.status });
}

/** Returns the answers of a form as the API takes them. An answer with more than `maxPictures` pictures is an error. */
export function readAnswers(questions: readonly Question[], { fields, added, faults }: AnswerForm) {
  return questions.flatMap((question): { ques_id: number; user_answer: SentAnswer }[] => {
    const user_answer = readAnswer(fields, question, added.get(question.id));
    if (user_answer === undefined) return [];
    if (typeof user_answer === 'object' && !Array.isArray(user_answer) && user_answer.images.length > maxPictures) {
      faults.set(question.id, tooManyPictures);
      return [
        { ques_id: question.id, user_answer: { ...user_answer, images: user_answer.images.slice(0, maxPictures) } },
      ];
    }
    return [{ ques_id: question.id, user_answer }];
  });
}

/** Returns a refused form with its texts and stored pictures, and each error at its question. */
export function refusedAnswerForm(
  outcome: RefusedOutcome,
  { fields, added, faults }: AnswerForm,
  answers: readonly { ques_id: number }[],
) {
  const { status, msg, errors = {} } = outcome;
  const at: Record<string, string[]> = {};
  for (const [path, messages] of Object.entries(errors)) {
    const place = /^answers\.(\d+)(?:\.|$)/.exec(path)?.[1];
    const id = place === undefined ? undefined : answers[Number(place)]?.ques_id;
    at[id === undefined ? path : fieldOf(id)] = messages;
  }
  for (const [id, fault] of faults) at[fieldOf(id)] ??= [fault];
  const pictures = [...added].flatMap(([id, paths]) => paths.map((path): [string, string] => [imageField(id), path]));
  const typed = textsOf(fields).filter(([name]) => !['version', 'intent', 'shown'].includes(name));
  const again: RefusedForm = {
    msg,
    errors: at,
    typed: [...typed, ...pictures],
    key: idempotencyKeyAfter(outcome, undefined),
  };
  return data(again, { status });
}

/** Error if pictures were refused although the answers were saved. */
export const pictureFault = ({ faults }: AnswerForm): RefusedOutcome | undefined =>
  faults.size > 0 ? { ok: false, status: 422, msg: '答案已保存，有图片没有上传成功，请看题目下的说明' } : undefined;
