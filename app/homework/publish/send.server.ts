/** Publishes the form and maps the API's errors to the form's fields. */
import { publishHomework, publishSessionHomework } from '#server/homework/publication.contract.ts';
import { homeworkDetail } from '../../analysis/screens.ts';
import type { ApiClient } from '../../api/client.server.ts';
import { idempotencyKeyAfter, type RefusedOutcome } from '../../api/outcome.server.ts';
import { readLocalTime } from '../../lib/zoned.ts';
import { draftForApi } from '../../questions/question-codec.ts';
import type { PublishAddress } from '../screens.ts';
import { formErrors } from './faults.ts';
import { type FormQuestion, type PublishForm, scoreForApi } from './form.ts';
import { returnAddressOf } from './links.server.ts';
import { loadChoices } from './load.server.ts';

interface SendOptions {
  /** Starting point of the form, such as a scheduled lesson or a class. */
  place: PublishAddress;
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
    right_answers: form.right_answers,
    publish_scope: form.publish_scope,
    child_course_basis_ids: form.child_course_basis_ids,
    class_ids: form.class_choice === 'some' ? await offeredClasses(client, form, arrange_id) : undefined,
    source,
    arrange_id,
    arrange_type,
    question: form.questions.map(sentQuestion),
    confirm_past: form.panel?.kind === 'publish' && form.panel.past ? 1 : undefined,
    draft_key: form.submit_key,
  };
  const call = arrange_id ? publishSessionHomework : publishHomework;
  const outcome = await client.ask(call, { body, idempotencyKey: form.submit_key });
  if (!outcome.ok) return refusalOf(outcome, form);
  const onwards = { href: homeworkDetail.href({ hw_id: outcome.data.id, class_id: 0 }), label: '查看作业' };
  const msg = place.type === 'copy' ? `复制成功，${outcome.msg}` : outcome.msg;
  return { ...outcome, msg, to: returnAddressOf(place), onwards };
}

/** Returns the refused form. It gets a new idempotency key if the old key was used for another request. */
function refusalOf(outcome: RefusedOutcome, form: PublishForm) {
  const { msg, status, errors = {} } = outcome;
  const submit_key = idempotencyKeyAfter(outcome, form.submit_key) ?? form.submit_key;
  const { confirm_past, ...faults } = formErrors(errors, form);
  const isPast = confirm_past !== undefined && Object.keys(faults).length === 0;
  const panel = isPast ? ({ kind: 'publish', past: true } as const) : null;
  return {
    ok: false as const,
    status,
    form: { ...form, submit_key, panel },
    refusal: isPast ? undefined : { msg, errors: faults },
  };
}

/** Returns the ticked classes that the scope still offers: the scope may have changed since they were ticked. */
async function offeredClasses(client: ApiClient, form: PublishForm, sessionId: number | undefined) {
  const { classes } = await loadChoices(client, form, sessionId);
  return classes.map(({ id }) => id).filter((id) => form.class_ids.includes(String(id)));
}

function sentQuestion(question: FormQuestion) {
  const { draft, source_id } = question;
  const { ques_item, ...content } = draftForApi(draft);
  return {
    ...content,
    source_id,
    ques_score: draft.ques_type === 6 ? undefined : scoreForApi(question, 0),
    ques_item: ques_item.map(({ ques_item: _none, ...part }, index) => ({
      ...part,
      ques_score: scoreForApi(question, index),
    })),
  };
}
