/** Publishes the form, and puts the API's messages to the fields of the form. */
import { createHash } from 'node:crypto';
import { publishHomework, publishSessionHomework } from '#server/homework/contract.ts';
import type { ApiClient, Outcome } from '../../api.server.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { type FormQuestion, type PublishForm, tenthsOf } from './form.ts';
import { scoreField } from './form-data.ts';
import { choicesFor } from './load.server.ts';
import type { FormErrors } from './view.ts';

/** The list, with the new homework on top. */
export const afterPublishing = '/homework?tab=main';

interface Sending {
  /** The way in: a scheduled lesson, a class. */
  params: URLSearchParams;
  timezone: string;
}

export async function sendForm(
  client: ApiClient,
  form: PublishForm,
  { params, timezone }: Sending,
): Promise<Outcome<{ id: number }>> {
  const arrange_id = params.get('arrange_id') ?? undefined;
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
    source: params.get('source') ?? undefined,
    arrange_id,
    arrange_type: params.get('arrange_type') ?? undefined,
    question: form.questions.map(sentQuestion),
  };
  // The same content sent again is the same request; what was changed after a lost answer is a new one.
  const content = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 20);
  const call = arrange_id ? publishSessionHomework : publishHomework;
  return client.ask(call, { body, idempotencyKey: `${form.submit_key}-${content}` });
}

/** Of the ticked classes those that the scope offers: it may have been changed since they were. */
async function offeredClasses(client: ApiClient, form: PublishForm, sessionId: string | undefined) {
  const { classes } = await choicesFor(client, form, sessionId ?? null);
  return classes.map(({ id }) => id).filter((id) => form.class_ids.includes(String(id)));
}

function sentQuestion({ draft, source_id, scores }: FormQuestion) {
  const { ques_item, ...content } = draft;
  return {
    ...content,
    source_id,
    ques_score: draft.ques_type === 6 ? undefined : sentScore(scores[0]),
    ques_item: ques_item.map(({ ques_item: _none, ...part }, index) => ({
      ...part,
      ques_score: sentScore(scores[index]),
    })),
  };
}

/** A score that is none is sent as 0, which the API refuses; a blank one as nothing. */
function sentScore(typed = ''): number | undefined {
  const tenths = tenthsOf(typed);
  if (tenths !== undefined) return tenths / 10;
  return typed.trim() === '' ? undefined : 0;
}

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
    placed[name] = [...new Set([...(placed[name] ?? []), ...messages])];
  }
  return placed;
}
