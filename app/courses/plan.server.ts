/** Handles forms that first show a preview of the periods they would create. Only periods that were shown are saved. */
import { data } from 'react-router';
import type { SeriesPreview } from '#server/courses/series.contract.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import type { Outcome } from '../api/outcome.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage, refusedForm } from '../shell/form-action.server.ts';
import type { FormRequest } from '../shell/form-request.ts';
import type { RefusedForm } from '../ui/form-state.ts';

interface Plan<Answer> {
  /** Fields of the form, without the confirmation of its preview. */
  content: (form: FormData) => object;
  preview: (client: ApiClient, form: FormData) => Promise<Outcome<SeriesPreview>>;
  save: (client: ApiClient, form: FormData, idempotencyKey: string | undefined) => Promise<Outcome<Answer>>;
  next: (answer: Answer) => string;
}

/** The form when it is shown again, with or without its preview. */
type PlannedForm = RefusedForm & { plan?: SeriesPreview };

export async function handlePlan<Answer>(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  { content, preview, save, next }: Plan<Answer>,
): Promise<ReturnType<typeof data<PlannedForm>>> {
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, 'preview', 'save');
  const client = context.get(api);
  const shown = JSON.stringify(content(form));
  const isShown = textOf(form, 'shown') === shown;
  let msg = button === 'save' && !isShown ? '内容有修改，请核对下面的日期后再保存' : '';
  if (button === 'save' && isShown) {
    const outcome = await save(client, form, idempotencyField(form));
    if (outcome.ok) return redirectWithMessage(context, outcome.msg, next(outcome.data));
    if (outcome.status !== 409) return refusedForm(outcome, form);
    msg = outcome.msg;
  }
  const planned = await preview(client, form);
  if (!planned.ok) return refusedForm(planned, form);
  form.set('acknowledged', planned.data.acknowledged);
  form.set('shown', shown);
  const typed = [...form].map(([name, value]) => [name, String(value)] as const);
  const again: PlannedForm = { msg, typed, key: idempotencyField(form), plan: planned.data };
  return data(again, { status: msg === '' ? 200 : 409 });
}
