/** Signed session cookie: the browser's token, and the message that the next page shows once. */

import {
  createContext,
  createCookie,
  createCookieSessionStorage,
  createSession,
  type MiddlewareFunction,
  type RouterContextProvider,
  type Session,
  type SessionStorage,
} from 'react-router';
import type { Identity } from '#server/school/call.ts';
import { originOf, sessionSecrets } from '../api/process.server.ts';

export interface SignedInSession {
  token: string;
  identity: Identity;
  /** Token of a learner. A learner and a member of staff may be signed in at once (app/learn/). */
  learner: string;
  /** Set after sign-out. If another tab still posts a form, that form is kept until the user signs in again. */
  left: true;
}
export interface Flash {
  /** Message for the next page. `onwards` is a link to a next step. */
  flash: { kind: 'success' | 'warning'; msg: string; onwards?: { href: string; label: string } | undefined };
  /** Id of the user who has just signed out. The sign-in page deletes this user's drafts. */
  signedOut: number;
}

function storageFor(secure: boolean) {
  return createCookieSessionStorage<SignedInSession, Flash>({
    cookie: createCookie('session', { path: '/', httpOnly: true, sameSite: 'lax', secure, secrets: sessionSecrets() }),
  });
}

type Storage = SessionStorage<SignedInSession, Flash>;

/** Maximum length of a cookie in characters. Browsers send no longer one. */
const maxCookieLength = 4096;

/**
 * Caches verified cookies: all requests of a session carry the same one, so its signature is checked once. The key is
 * the whole Cookie header, because only the parser decides which cookie counts. Each request gets its own Session
 * object, so nothing leaks between requests.
 */
function withCookieCache(storage: Storage): Storage {
  const known = new Map<string, string>();
  return {
    ...storage,
    async getSession(cookieHeader) {
      if (!cookieHeader) return storage.getSession(cookieHeader);
      const data = known.get(cookieHeader);
      if (data !== undefined) return createSession(JSON.parse(data));
      const session = await storage.getSession(cookieHeader);
      // An empty session is not cached: the cookie is unsigned or holds nothing.
      if (cookieHeader.length > maxCookieLength || Object.keys(session.data).length === 0) return session;
      const [oldest] = known.keys();
      if (known.size >= 1000 && oldest !== undefined) known.delete(oldest);
      known.set(cookieHeader, JSON.stringify(session.data));
      return session;
    },
  };
}

const plain = withCookieCache(storageFor(false));
const secured = withCookieCache(storageFor(true));

/** True if the browser uses HTTPS, also behind a trusted proxy. */
export const isHttps = (request: Request): boolean => originOf(request).startsWith('https:');

const [newest, ...older] = sessionSecrets();
/** Reads only cookies that were signed with the newest secret. Undefined if there is only one secret. */
const signedAnew = older.length > 0 ? createCookie('session', { secrets: [newest] }) : undefined;

/**
 * Secret rotation: true for a cookie that was signed with an older secret. It is replaced, so that active users have
 * the new secret before the old one is removed.
 */
async function isOfOlderSecret({ data }: Session<SignedInSession, Flash>, cookieHeader: string | null) {
  if (!signedAnew || Object.keys(data).length === 0) return false;
  return (await signedAnew.parse(cookieHeader)) === null;
}

const sessionContext = createContext<Session<SignedInSession, Flash>>();

export const getSession = (context: Readonly<RouterContextProvider>) => context.get(sessionContext);

/** Reads the session, and sets the cookie only after a change, so that other pages can be cached and prefetched. */
export const sessionMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const storage = isHttps(request) ? secured : plain;
  const cookieHeader = request.headers.get('Cookie');
  const session = await storage.getSession(cookieHeader);
  const isOlder = await isOfOlderSecret(session, cookieHeader);
  const before = JSON.stringify(session.data);
  context.set(sessionContext, session);
  const response = await next();
  if (isOlder || JSON.stringify(session.data) !== before)
    response.headers.append('Set-Cookie', await storage.commitSession(session));
  return response;
};
