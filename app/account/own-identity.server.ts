/** On the way to a provider and back, as somebody who has signed in. */
import { safeRedirect } from '../lib/safe-redirect.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { getSession } from '../shell/session.server.ts';
import { account } from './screens.ts';

/** None where nobody has signed in. */
export function tokenHeader(context: RequestContext): Record<string, string> {
  const token = getSession(context).get('token');
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** Where they began: the page of their account, unless a page of ours was named. */
export const ownAddress = (url: URL, to: string | undefined): URL =>
  new URL(safeRedirect(to, account.href({ tab: 'security' })), url);
