/** How a posted form ends: somewhere else with a message, or again with what was typed. */
import { data, redirect } from 'react-router';
import { type ApiClient, api } from '../api/client.server.ts';
import { keyAfter, type Outcome, orErrorPage, type RefusedOutcome } from '../api/outcome.server.ts';
import { notTaken } from '../lib/address.ts';
import { idempotencyField, intentOf, type PostedFields } from '../lib/form-data.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import type { Refused } from '../ui/form-state.ts';
import { requireOwn } from './form-owner.server.ts';
import type { FormRequest, RequestContext } from './form-request.ts';
import { isMultipart, noFilesHere, noForm, postedContext } from './posted-form.server.ts';
import { type Flash, getSession } from './session.server.ts';

/**
 * The fields of a form without files, also on a page that takes some with another of its forms: as they were split when
 * they came, which for a form of megabytes is done once.
 */
export async function typedForm(request: Request, context: RequestContext): Promise<FormData> {
  if (isMultipart(request)) throw noFilesHere();
  requireOwn(context);
  const fields = context.get(postedContext);
  if (!fields) {
    return request.formData().catch(() => {
      throw noForm();
    });
  }
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/**
 * A picker's form: with a `fault` of how many are picked it is shown again, else whoever picks goes on with them.
 */
export async function takePicks<Ending>(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  fault: (picked: number) => string | undefined,
  goOn: (client: ApiClient, picked: number[], form: FormData) => Promise<Ending>,
) {
  const form = await typedForm(request, context);
  pressed(form, '');
  const picked = pickedIds(form);
  const msg = fault(picked.length);
  if (msg !== undefined) return refused({ ok: false, status: 422, msg }, form);
  return goOn(context.get(api), picked, form);
}

/**
 * Most forms: what was sent, `send`s one call, and goes on to `next` with the message, or shows the form again. A press
 * that was sent twice is one.
 */
export async function takeForm(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  next: string,
  send: (client: ApiClient, idempotencyKey: string | undefined, form: FormData) => Promise<Outcome<unknown>>,
) {
  const form = await typedForm(request, context);
  pressed(form, '');
  return ended(context, await send(context.get(api), idempotencyField(form), form), next, form);
}

/**
 * As `takeForm`, of a record that somebody else may have changed meanwhile, or whose change others will notice: what was
 * told of it comes back with the form, so that it is known when the form is sent again.
 */
export async function takeEdit<Answer>(
  { request, context }: Pick<FormRequest, 'request' | 'context'>,
  next: string | ((answer: Answer) => string),
  send: (client: ApiClient, idempotencyKey: string | undefined, form: FormData) => Promise<Outcome<Answer>>,
  onwards?: Flash['flash']['onwards'],
) {
  const form = await typedForm(request, context);
  pressed(form, '');
  const outcome = await send(context.get(api), idempotencyField(form), form);
  if (outcome.ok) return done(context, outcome.msg, typeof next === 'string' ? next : next(outcome.data), onwards);
  const { seen, acknowledged } = (outcome.data ?? {}) as { seen?: unknown; acknowledged?: unknown };
  if (typeof seen === 'string') form.set('seen', seen);
  if (typeof acknowledged === 'string') form.set('acknowledged', acknowledged);
  return refused(outcome, form);
}

/** On to `next`, with the message of the call; or the form again. */
export const ended = (context: RequestContext, outcome: Outcome<unknown>, next: string, form: PostedFields) =>
  outcome.ok ? done(context, outcome.msg, next) : refused(outcome, form);

/** On to `next`, which shows the message once. */
export function done(context: RequestContext, msg: string, next: string, onwards?: Flash['flash']['onwards']): never {
  flash(context, 'success', msg, onwards);
  throw redirect(next);
}

/**
 * The form again: the sentence above it, each message at its field, what was typed, and the same key, so that a
 * retry after a lost answer is not a second request. Passwords are never sent back.
 */
export function refused(outcome: RefusedOutcome, form: PostedFields) {
  const typed = [...form].flatMap(([name, value]) => (/password/i.test(name) ? [] : [[name, String(value)] as const]));
  const { status, msg, errors } = outcome;
  const again: Refused = { msg, errors, typed, key: keyAfter(outcome, idempotencyField(form)) };
  return data(again, { status });
}

/** For a screen whose forms have nothing to show again: back to it with the sentence, whatever came of them. */
export function back(context: RequestContext, outcome: Outcome<unknown>, url: URL): never {
  requireFound(outcome);
  flash(context, outcome.ok ? 'success' : 'warning', outcome.msg);
  throw redirect(url.pathname + url.search);
}

/** 导出: on to the file that was made, or back with the sentence that says why there is none. */
export function toFile(context: RequestContext, outcome: Outcome<{ url: string }>, url: URL): never {
  if (outcome.ok) throw redirect(outcome.data.url);
  return back(context, outcome, url);
}

/**
 * Where the service is away there is no screen to go back to with a message: the error page says so, and its button sends
 * the form again.
 */
export function requireFound(outcome: Outcome<unknown>): void {
  if (!outcome.ok && outcome.status === 503) orErrorPage(outcome);
}

/**
 * Which of the screen's buttons was pressed, and what it was pressed for: `sign-out 12`. '' is the one button of a form
 * that says nothing, or Enter. What no button of the screen says is the error page.
 */
export function pressed<const Button extends string>(
  form: Pick<PostedFields, 'get'>,
  ...buttons: readonly Button[]
): [button: Button, ...what: string[]] {
  const [said, ...what] = intentOf(form);
  const button = buttons.find((one) => one === said);
  if (button === undefined) throw malformed();
  return [button, ...what];
}

/** What no form of the screen sends. */
export const malformed = () => data({ msg: notTaken }, { status: 400 });

/** The next page says it once. */
export function flash(
  context: RequestContext,
  kind: Flash['flash']['kind'],
  msg: string,
  onwards?: Flash['flash']['onwards'],
): void {
  getSession(context).flash('flash', { kind, msg, onwards });
}
