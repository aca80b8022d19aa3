/** How a form ends: back at its list with a message, or again with what was typed. */
import { data, type RouterContextProvider, redirect } from 'react-router';
import { keyAfter, type Outcome } from '../api/outcome.server.ts';
import type { Refused } from '../ui/form.tsx';
import { getSession } from './session.server.ts';

/** Back to the list behind the dialog, which shows the message once. */
export function done(context: Readonly<RouterContextProvider>, msg: string, backTo: string): never {
  getSession(context).flash('flash', { kind: 'success', msg });
  throw redirect(backTo);
}

/**
 * The form again: the sentence above it, each message at its field, what was typed, and the same key, so that a
 * retry after a lost answer is not a second request.
 */
export function refused(outcome: Extract<Outcome<unknown>, { ok: false }>, form: FormData) {
  const typed = [...form].map(([name, value]) => [name, String(value)] as const);
  const { status, msg, errors } = outcome;
  const again: Refused = { msg, errors, typed, key: keyAfter(outcome, idempotencyField(form)) };
  return data(again, { status });
}

/**
 * Where the service is away there is no screen to go back to with a message: the error page says so, and its button sends
 * the form again.
 */
export function mustBeThere(outcome: Outcome<unknown>): void {
  if (!outcome.ok && outcome.status === 503) throw data({ msg: outcome.msg }, { status: 503 });
}

export function idempotencyField(form: FormData): string | undefined {
  return String(form.get('idempotency_key') ?? '') || undefined;
}
