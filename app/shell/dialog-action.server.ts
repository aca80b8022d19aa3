/** How a dialog's form ends: back at its list with a message, or again with what was typed (design, section 4). */
import { data, type RouterContextProvider, redirect } from 'react-router';
import type { Outcome } from '../api.server.ts';
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
  return data({ msg, errors, typed, key: idempotencyField(form) }, { status });
}

/**
 * The screen behind a dialog whose address is `…/:id/<dialog>`, with its search params: whichever screen it was opened
 * over, it closes back to that one.
 */
export const behindDialog = ({ pathname, search }: URL): string => pathname.replace(/\/[^/]+\/[^/]+\/?$/, '') + search;

export function idempotencyField(form: FormData): string | undefined {
  return String(form.get('idempotency_key') ?? '') || undefined;
}
