/** A form that a person may not send is not shown: its address answers at once what the API would answer to it. */
import { createContext, data } from 'react-router';
import type { Me } from '#server/account/sign-in.contract.ts';
import { permissionFault } from '#server/school/rules.ts';
import type { RequestContext } from './form-request.ts';
import { signedInPerson } from './signed-in.server.ts';

/** Whether the page answers a form. */
export const wasSent = createContext(false);

type Permission = Me['permissions'][number];

/** Throws the page that says why not; `call` is the one that the form is sent to. */
export function requirePermission(
  context: RequestContext,
  call: { needs?: Permission | readonly Permission[] | undefined },
): void {
  const fault = call.needs && permissionFault(call.needs, signedInPerson(context).permissions);
  if (fault) requireAllowed(context, { code: 403, msg: fault });
}

/** A rule's answer before anything is sent: nothing, its sentence (409), or its sentence with its status. */
export type EarlyRefusal = { code: number; msg: string } | string | null | undefined;

/**
 * The same of a rule's answer: nothing, its sentence (the state forbids it), or its sentence with its status. What was
 * sent already is answered by the action, with all that was typed. `back` is where the form would close to.
 */
export function requireAllowed(context: RequestContext, refusal: EarlyRefusal, back?: string): void {
  if (!refusal || context.get(wasSent)) return;
  const { code, msg } = typeof refusal === 'string' ? { code: 409, msg: refusal } : refusal;
  throw data({ msg, back }, { status: code });
}

/** A rule's sentence where the person, and not the state, forbids it. */
export const forbiddenBy = (fault: string | undefined) => (fault === undefined ? undefined : { code: 403, msg: fault });
