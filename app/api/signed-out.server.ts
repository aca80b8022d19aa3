import { data, redirect } from 'react-router';
import { callMessages } from '#server/platform/calls/rules.ts';
import { signIn } from '../account/screens.ts';
import { returnAddress } from '../lib/safe-redirect.ts';
import { home } from '../shell/screens.ts';

export const expiredMessage = callMessages.expired;

/**
 * Redirects to the sign-in page, which returns to this address. After a POST it is a 401 instead, and the error page
 * keeps the form (shell/error-page).
 */
export function redirectToSignIn(request: Request, url: URL) {
  if (request.method !== 'GET') return data({ msg: expiredMessage }, { status: 401 });
  const here = url.pathname + url.search;
  return redirect(signIn.href({ redirectTo: here === home.href() ? undefined : returnAddress(here) }));
}
