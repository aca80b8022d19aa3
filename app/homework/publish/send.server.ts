/** Publishes the form, and puts the API's messages to the fields of the form. */
import { publishHomework, publishSessionHomework } from '#server/homework/contract.ts';
import { scoreLimits } from '#server/homework/rules.ts';
import type { ApiClient } from '../../api/client.server.ts';
import { keyAfter, type Outcome } from '../../api/outcome.server.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import type { PublishPlace } from '../screens.ts';
import { type FormQuestion, isPublishable, type PublishForm, tenthsOf } from './form.ts';
import { scoreField } from './form-data.ts';
import { choicesFor } from './load.server.ts';
import { backFrom, type FormErrors } from './view.ts';

interface SendOptions {
  /** Where the form starts from: a scheduled lesson, a class. */
  place: PublishPlace;
  timezone: string;
}

export async function sendForm(client: ApiClient, form: PublishForm, { place, timezone }: SendOptions) {
  const { arrange_id, arrange_type, source } = place;
  const body = {
    course_basis_id: form.course_basis_id,
    type: form.type,
    course_periods_id: form.course_periods_id,
    name: form.name,
    remark: form.remark,
    ending_time: readLocalTime(form.ending_time, timezone),
    is_set_score: form.is_set_score,
    publish_scope: form.publish_scope,
    child_course_basis_ids: form.child_course_basis_ids,
    class_ids: form.class_choice === 'some' ? await offeredClasses(client, form, arrange_id) : undefined,
    source,
    arrange_id,
    arrange_type,
    question: form.questions.map(sentQuestion),
  };
  const call = arrange_id ? publishSessionHomework : publishHomework;
  const outcome = await client.ask(call, { body, idempotencyKey: form.submit_key });
  return outcome.ok ? { ...outcome, to: backFrom(place) } : refusalOf(outcome, form);
}

/** The form as it comes back: with a new key where it was changed after it had been taken. */
function refusalOf(outcome: Extract<Outcome<unknown>, { ok: false }>, form: PublishForm) {
  const { msg, status, errors = {} } = outcome;
  const submit_key = keyAfter(outcome, form.submit_key) ?? form.submit_key;
  return {
    ok: false as const,
    status,
    form: { ...form, submit_key },
    refusal: { msg, errors: formErrors(errors, form) },
  };
}

/** Of the ticked classes those that the scope offers: it may have been changed since they were. */
async function offeredClasses(client: ApiClient, form: PublishForm, sessionId: number | undefined) {
  const { classes } = await choicesFor(client, form, sessionId);
  return classes.map(({ id }) => id).filter((id) => form.class_ids.includes(String(id)));
}

function sentQuestion(question: FormQuestion) {
  const { draft, source_id } = question;
  const { ques_item, ...content } = draft;
  return {
    ...content,
    source_id,
    ques_score: draft.ques_type === 6 ? undefined : sentScore(question, 0),
    ques_item: ques_item.map(({ ques_item: _none, ...part }, index) => ({
      ...part,
      ques_score: sentScore(question, index),
    })),
  };
}

/** A score that is none is sent as 0, which the API refuses; a blank one as nothing. */
function sentScore(question: FormQuestion, part: number): number | undefined {
  const typed = question.scores[part] ?? '';
  if (isPublishable(question, part)) return (tenthsOf(typed) ?? 0) / 10;
  return typed.trim() === '' ? undefined : 0;
}

/** What the API says of the range, which one decimal belongs to, is said of the field as the form takes it. */
const wholeScore = `请输入${scoreLimits.least}到${scoreLimits.most}的整数`;

/** `question.2.ques_item.0.ques_score` becomes the field `score.KEY.0`, any other fault of a question `question.KEY`. */
export function formErrors(errors: Record<string, string[]>, form: PublishForm): FormErrors {
  const placed: FormErrors = {};
  for (const [field, messages] of Object.entries(errors)) {
    const [, index, rest = ''] = /^question\.(\d+)\.(.+)$/.exec(field) ?? [];
    const question = index === undefined ? undefined : form.questions[Number(index)];
    if (!question) {
      placed[field] = messages;
      continue;
    }
    const [, part] = /^(?:ques_item\.(\d+)\.)?ques_score$/.exec(rest) ?? [];
    const isScore = rest.endsWith('ques_score');
    const name = isScore ? scoreField(question.key, Number(part ?? 0)) : `question.${question.key}`;
    const isTyped = isScore && (question.scores[Number(part ?? 0)] ?? '').trim() !== '';
    placed[name] = [...new Set([...(placed[name] ?? []), ...(isTyped ? [wholeScore] : messages)])];
  }
  return placed;
}
