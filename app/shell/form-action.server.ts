/** Ends of a form action: a redirect with a message, or the form again with its values. */
import { data, redirect } from 'react-router';
import { type ApiClient, api } from '../api/client.server.ts';
import { answerOrErrorPage, idempotencyKeyAfter, type Outcome, type RefusedOutcome } from '../api/outcome.server.ts';
import { badRequestMessage } from '../lib/address.ts';
import { idempotencyField, type PostedFields, readIntent } from '../lib/form-data.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { requireSameUser } from './form-owner.server.ts';
import type { FormRequest, RequestContext } from './form-request.ts';
import { filesNotAccepted, isMultipart, notAForm, postedContext } from './posted-form.server.ts';
import { type Flash, getSession } from './session.server.ts';

/**
 * Returns the fields of a posted form without files. Refuses a form with files, even on a page that has forms with
 * files. The body was parsed when it arrived, because a form may have megabytes.
 */
export async function readPostedForm(request: Request, context: RequestContext): Promise<FormData> {
  if (isMultipart(request)) throw filesNotAccepted();
  requireSameUser(context);
  const fields = context.get(postedContext);
  if (!fields) {
    return request.formData().catch(() => {
      throw notAForm();
    });
  }
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/**
 * Handles the form of a picker. If `fault` returns a message for the number of picked rows, shows the form again, else
 * calls `goOn` with the picked ids.
 */
export async function handlePickerForm<Ending>(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  fault: (picked: number) => string | undefined,
  goOn: (client: ApiClient, picked: number[], form: FormData) => Promise<Ending>,
) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const picked = pickedIds(form);
  const msg = fault(picked.length);
  if (msg !== undefined) return refusedForm({ ok: false, status: 422, msg }, form);
  return goOn(context.get(api), picked, form);
}

/**
 * Handles most forms: `send` makes one call. Then redirects to `next` with the message, or shows the form again.
 * Idempotent: a double submit counts once.
 */
export async function handleForm(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  next: string,
  send: (client: ApiClient, idempotencyKey: string | undefined, form: FormData) => Promise<Outcome<unknown>>,
) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  return finishForm(context, await send(context.get(api), idempotencyField(form), form), next, form);
}

/**
 * Like `handleForm`, for edits that may conflict or need a confirmation. The data of a refusal returns with the form as
 * hidden fields; sending the form again confirms them.
 */
export async function handleEdit<Answer>(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  next: string | ((answer: Answer) => string),
  send: (client: ApiClient, idempotencyKey: string | undefined, form: FormData) => Promise<Outcome<Answer>>,
  onwards?: Flash['flash']['onwards'],
) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await send(context.get(api), idempotencyField(form), form);
  if (outcome.ok)
    return redirectWithMessage(context, outcome.msg, typeof next === 'string' ? next : next(outcome.data), onwards);
  const { seen, acknowledged } = (outcome.data ?? {}) as { seen?: unknown; acknowledged?: unknown };
  if (typeof seen === 'string') form.set('seen', seen);
  if (typeof acknowledged === 'string') form.set('acknowledged', acknowledged);
  return refusedForm(outcome, form);
}

/** Redirects to `next` with the call's message, or shows the form again. */
export const finishForm = (context: RequestContext, outcome: Outcome<unknown>, next: string, form: PostedFields) =>
  outcome.ok ? redirectWithMessage(context, outcome.msg, next) : refusedForm(outcome, form);

/** Redirects to `next`, which shows the message once. */
export function redirectWithMessage(
  context: RequestContext,
  msg: string,
  next: string,
  onwards?: Flash['flash']['onwards'],
): never {
  flashMessage(context, 'success', msg, onwards);
  throw redirect(next);
}

/**
 * Shows the form again with message, field errors and typed values, but without passwords. It keeps the idempotency
 * key, so that a retry after a lost response does not count twice.
 */
export function refusedForm(outcome: RefusedOutcome, form: PostedFields) {
  const typed = [...form].flatMap(([name, value]) => (/password/i.test(name) ? [] : [[name, String(value)] as const]));
  const { status, msg, errors } = outcome;
  const again: RefusedForm = { msg, errors, typed, key: idempotencyKeyAfter(outcome, idempotencyField(form)) };
  return data(again, { status });
}

/** Redirects back to the screen with the message. For forms without values to show again. */
export function redirectBack(context: RequestContext, outcome: Outcome<unknown>, url: URL): never {
  requireAvailable(outcome);
  flashMessage(context, outcome.ok ? 'success' : 'warning', outcome.msg);
  throw redirect(url.pathname + url.search);
}

/** Handles the button 导出: redirects to the file, or back with the reason of a refusal. */
export function redirectToFile(context: RequestContext, outcome: Outcome<{ url: string }>, url: URL): never {
  if (outcome.ok) throw redirect(outcome.data.url);
  return redirectBack(context, outcome, url);
}

/**
 * Throws the error page for a 503: no screen could show a message, and the button of the error page sends the form
 * again.
 */
export function requireAvailable(outcome: Outcome<unknown>): void {
  if (!outcome.ok && outcome.status === 503) answerOrErrorPage(outcome);
}

/**
 * Returns the pressed button and its keys, such as `sign-out 12`. The empty name means Enter, or a button without a
 * value. Throws the error page for an unknown button.
 */
export function readButton<const Button extends string>(
  form: Pick<PostedFields, 'get'>,
  ...buttons: readonly Button[]
): [button: Button, ...what: string[]] {
  const [said, ...what] = readIntent(form);
  const button = buttons.find((one) => one === said);
  if (button === undefined) throw malformedForm();
  return [button, ...what];
}

/** Error page (400) for input that no form of the screen would send. */
export const malformedForm = () => data({ msg: badRequestMessage }, { status: 400 });

/** Sets a message that the next page shows once. */
export function flashMessage(
  context: RequestContext,
  kind: Flash['flash']['kind'],
  msg: string,
  onwards?: Flash['flash']['onwards'],
): void {
  getSession(context).flash('flash', { kind, msg, onwards });
}
