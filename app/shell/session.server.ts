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
  /** Token of a learner, who may be signed in beside staff (app/learn/). */
  learner: string;
  /** Set after sign-out: a form that another tab still posts is kept until the user signs in again. */
  left: true;
}
export interface Flash {
  /** `onwards`: link to a next step. */
  flash: { kind: 'success' | 'warning'; msg: string; onwards?: { href: string; label: string } | undefined };
  /** Id of the user who has just signed out; the sign-in page deletes their drafts. */
  signedOut: number;
}

function storageFor(secure: boolean) {
  return createCookieSessionStorage<SignedInSession, Flash>({
    cookie: createCookie('session', { path: '/', httpOnly: true, sameSite: 'lax', secure, secrets: sessionSecrets() }),
  });
}

type Storage = SessionStorage<SignedInSession, Flash>;

/** Characters: browsers send no longer cookie. */
const maxCookieLength = 4096;

/**
 * Caches verified cookies: all requests of a session carry the same ones, so the signature is checked once. Keyed by
 * the whole Cookie header, since only the parser decides which cookie counts. Each request gets its own Session object,
 * so nothing leaks between them.
 */
function remembering(storage: Storage): Storage {
  const known = new Map<string, string>();
  return {
    ...storage,
    async getSession(cookieHeader) {
      if (!cookieHeader) return storage.getSession(cookieHeader);
      const data = known.get(cookieHeader);
      if (data !== undefined) return createSession(JSON.parse(data));
      const session = await storage.getSession(cookieHeader);
      // Empty sessions are not cached: unsigned or worthless.
      if (cookieHeader.length > maxCookieLength || Object.keys(session.data).length === 0) return session;
      const [oldest] = known.keys();
      if (known.size >= 1000 && oldest !== undefined) known.delete(oldest);
      known.set(cookieHeader, JSON.stringify(session.data));
      return session;
    },
  };
}

const plain = remembering(storageFor(false));
const secured = remembering(storageFor(true));

/** True if the browser uses HTTPS, also behind a trusted proxy. */
export const isHttps = (request: Request): boolean => originOf(request).startsWith('https:');

const [newest, ...older] = sessionSecrets();
/** Accepts only signatures of the newest secret. Undefined unless there are several secrets. */
const signedAnew = older.length > 0 ? createCookie('session', { secrets: [newest] }) : undefined;

/** Secret rotation: active users get a cookie with the new secret before the old one is removed. */
async function isOfOlderSecret({ data }: Session<SignedInSession, Flash>, cookieHeader: string | null) {
  if (!signedAnew || Object.keys(data).length === 0) return false;
  return (await signedAnew.parse(cookieHeader)) === null;
}

const sessionContext = createContext<Session<SignedInSession, Flash>>();

export const getSession = (context: Readonly<RouterContextProvider>) => context.get(sessionContext);

/** Sets the cookie only after a change, so that other pages can be cached and prefetched. */
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
