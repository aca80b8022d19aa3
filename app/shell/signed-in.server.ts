import { createContext, data } from 'react-router';
import type { Me } from '#server/account/sign-in.contract.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import type { RequestContext } from './form-request.ts';

/** The signed-in user with permissions, or why the user is unknown. Null outside the screens for signed-in users. */
export const signedInContext = createContext<{ person: Me } | { status: number; msg: string } | null>(null);

/** Returns the signed-in user. Throws the error page if the user is unknown (session expired, API unreachable). */
export function signedInPerson(context: RequestContext): Me {
  const known = context.get(signedInContext);
  if (known && 'person' in known) return known.person;
  throw data({ msg: known?.msg ?? callMessages.signedOut }, { status: known?.status ?? 401 });
}
