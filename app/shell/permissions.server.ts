/** Checks before a form is shown. If the user may not send it, its page is the API's refusal at once. */
import { createContext, data } from 'react-router';
import type { Me } from '#server/account/sign-in.contract.ts';
import { permissionFault } from '#server/school/rules.ts';
import type { RequestContext } from './form-request.ts';
import { signedInPerson } from './signed-in.server.ts';

/** True while the page handles a posted form. */
export const isFormPost = createContext(false);

type Permission = Me['permissions'][number];

/** Throws the error page unless the user may make `call`, the call of the form. */
export function requirePermission(
  context: RequestContext,
  call: { needs?: Permission | readonly Permission[] | undefined },
): void {
  const fault = call.needs && permissionFault(call.needs, signedInPerson(context).permissions);
  if (fault) requireAllowed(context, { code: 403, msg: fault });
}

/** Result of a rule that is checked before sending: undefined, a message (409), or a message with a status. */
export type RefusalPreview = { code: number; msg: string } | string | null | undefined;

/**
 * Throws the error page if a rule refuses. A posted form passes, because its action refuses it and keeps the typed
 * values. `back` is the address to which the form closes.
 */
export function requireAllowed(context: RequestContext, refusal: RefusalPreview, back?: string): void {
  if (!refusal || context.get(isFormPost)) return;
  const { code, msg } = typeof refusal === 'string' ? { code: 409, msg: refusal } : refusal;
  throw data({ msg, back }, { status: code });
}

/** Makes a 403 refusal of a rule that depends on the user, not on the state of the record. */
export const forbiddenIfFault = (fault: string | undefined) =>
  fault === undefined ? undefined : { code: 403, msg: fault };
