import { data, redirect } from 'react-router';
import { callMessages } from '#server/platform/calls/rules.ts';
import { signIn } from '../account/screens.ts';
import { wayBack } from '../lib/safe-redirect.ts';
import { home } from '../shell/screens.ts';

export const expiredMessage = callMessages.expired;

/** To the sign-in page and back; a form that was posted is kept by the error page instead (see shell/error-page). */
export function signedOut(request: Request, url: URL) {
  if (request.method !== 'GET') return data({ msg: expiredMessage }, { status: 401 });
  const here = url.pathname + url.search;
  return redirect(signIn.href({ redirectTo: here === home.href() ? undefined : wayBack(here) }));
}
