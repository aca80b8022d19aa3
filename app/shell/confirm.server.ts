/** What a dialog does that only asks whether something may be done for good. */
import { type ApiClient, api } from '../api/client.server.ts';
import type { Outcome } from '../api/outcome.server.ts';
import { done, idempotencyField, refused } from './dialog-action.server.ts';
import type { FormRequest } from './form-request.ts';

/** For its action: does it, and goes on to `next`, or asks again with the sentence that says why not. */
export async function confirmed(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  next: string,
  send: (client: ApiClient, idempotencyKey: string | undefined) => Promise<Outcome<unknown>>,
) {
  const form = await request.formData();
  const outcome = await send(context.get(api), idempotencyField(form));
  return outcome.ok ? done(context, outcome.msg, next) : refused(outcome, form);
}
