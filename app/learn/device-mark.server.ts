/** Mark of this browser, for limits of wrong passwords: a learner's own device has a count of its own. */
import { randomBytes } from 'node:crypto';
import { createContext, createCookie, type MiddlewareFunction } from 'react-router';
import { isHttps } from '../shell/session.server.ts';
import { learnHome, learnSignInBegin } from './screens.ts';

/** Seconds; browsers keep no cookie for longer. */
const maxAge = 400 * 24 * 60 * 60;

const cookieFor = (request: Request) =>
  createCookie('learn-device', {
    path: learnHome.href(),
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(request),
    maxAge,
  });

export const deviceMark = createContext<string>('');

/** Reads the mark, and makes one when a form is sent or a sign-in at a provider begins. */
export const deviceMarkMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const cookie = cookieFor(request);
  const kept: unknown = await cookie.parse(request.headers.get('Cookie'));
  const isKept = typeof kept === 'string' && /^[\w-]{22}$/.test(kept);
  const mark = isKept ? kept : randomBytes(16).toString('base64url');
  context.set(deviceMark, mark);
  const response = await next();
  const isNeeded = request.method === 'POST' || learnSignInBegin.covers(url.pathname);
  if (!isKept && isNeeded) response.headers.append('Set-Cookie', await cookie.serialize(mark));
  return response;
};
