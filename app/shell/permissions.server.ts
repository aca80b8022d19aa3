/** Hides forms that the user may not send: their pages return the API's refusal at once. */
import { createContext, data } from 'react-router';
import type { Me } from '#server/account/sign-in.contract.ts';
import { permissionFault } from '#server/school/rules.ts';
import type { RequestContext } from './form-request.ts';
import { signedInPerson } from './signed-in.server.ts';

/** True while the page answers a posted form. */
export const isFormPost = createContext(false);

type Permission = Me['permissions'][number];

/** Throws the refusal page unless the user may make `call`, the form's call. */
export function requirePermission(
  context: RequestContext,
  call: { needs?: Permission | readonly Permission[] | undefined },
): void {
  const fault = call.needs && permissionFault(call.needs, signedInPerson(context).permissions);
  if (fault) requireAllowed(context, { code: 403, msg: fault });
}

/** Result of a rule checked before sending: undefined, a message (409), or a message with status. */
export type RefusalPreview = { code: number; msg: string } | string | null | undefined;

/**
 * Throws the refusal page if a rule refuses. A posted form passes: its action refuses it with the typed values. `back`
 * is the address that the form closes to.
 */
export function requireAllowed(context: RequestContext, refusal: RefusalPreview, back?: string): void {
  if (!refusal || context.get(isFormPost)) return;
  const { code, msg } = typeof refusal === 'string' ? { code: 409, msg: refusal } : refusal;
  throw data({ msg, back }, { status: code });
}

/** Refusal (403) by a rule about the user, not the record's state. */
export const forbiddenIfFault = (fault: string | undefined) =>
  fault === undefined ? undefined : { code: 403, msg: fault };
