/**
 * Tells the browser which of its forms were accepted, so that it deletes their drafts
 * (app/ui/client/drafts/draft-store.ts). It uses cookies, because the next page runs no script. Drafts of refused or
 * lost forms are kept.
 */
import type { MiddlewareFunction } from 'react-router';
import { signIn } from '../account/screens.ts';

/** Maximum number of form ids in the cookie. A tab may return to its form late. */
const maxRemembered = 12;
const id = '[0-9a-z]{8,40}';

const cookieOf = (request: Request, pattern: RegExp) => pattern.exec(request.headers.get('cookie') ?? '')?.[1];

const leadsToSignIn = (headers: Headers) => signIn.covers(headers.get('location') ?? '');

export const acceptedFormMiddleware: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const response = await next();
  if (request.method !== 'POST') return response;
  const sending = cookieOf(request, new RegExp(`(?:^|;\\s*)sending=(${id})(?:;|$)`));
  // An accepted form redirects; a refused one is shown again.
  const isAccepted = response.status >= 300 && response.status < 400;
  if (!sending || !isAccepted || leadsToSignIn(response.headers)) return response;
  const before = cookieOf(request, new RegExp(`(?:^|;\\s*)accepted=(${id}(?:\\.${id})*)(?:;|$)`))?.split('.') ?? [];
  const accepted = [sending, ...before.filter((one) => one !== sending)].slice(0, maxRemembered);
  response.headers.append('set-cookie', `accepted=${accepted.join('.')}; Path=/; Max-Age=2592000; SameSite=Lax`);
  response.headers.append('set-cookie', `sending=; Path=${url.pathname}; Max-Age=0; SameSite=Lax`);
  return response;
};
