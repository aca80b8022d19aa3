/** Helpers for linking a provider's account to the signed-in user. */
import { safeRedirect } from '../lib/safe-redirect.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { getSession } from '../shell/session.server.ts';
import { account } from './screens.ts';

/** Authorization header of the signed-in user. Empty when signed out. */
export function tokenHeader(context: RequestContext): Record<string, string> {
  const token = getSession(context).get('token');
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** Address to return to: `to` if it is a page of this site, else the account page. */
export const returnUrl = (url: URL, to: string | undefined): URL =>
  new URL(safeRedirect(to, account.href({ tab: 'security' })), url);
