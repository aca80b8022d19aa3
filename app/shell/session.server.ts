/** The signed cookie that keeps the token of a browser, and the message that the next page shows once. */

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
  /** Of a learner, who may be signed in beside the staff (app/learn/). */
  learner: string;
  /** Somebody signed out here: a form that another tab still posts is kept until they sign in again. */
  left: true;
}
export interface Flash {
  /** `onwards`: what may be done next. */
  flash: { kind: 'success' | 'warning'; msg: string; onwards?: { href: string; label: string } | undefined };
  /** The person who has just signed out here: the sign-in page clears their drafts away. */
  signedOut: number;
}

function storageFor(secure: boolean) {
  return createCookieSessionStorage<SignedInSession, Flash>({
    cookie: createCookie('session', { path: '/', httpOnly: true, sameSite: 'lax', secure, secrets: sessionSecrets() }),
  });
}

type Storage = SessionStorage<SignedInSession, Flash>;

/** Characters: browsers send no longer cookie. */
const longestKept = 4096;

/**
 * The same cookies come with every request of a sign-in: the signature is checked once and what it said is kept, for the
 * last thousand of them, under all that the browser sent: nobody but the reader of cookies tells which of them counts. A
 * session of its own is made of it each time, so nothing leaks between requests.
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
      // What carries nothing was not signed here, or is not worth to be kept.
      if (cookieHeader.length > longestKept || Object.keys(session.data).length === 0) return session;
      const [oldest] = known.keys();
      if (known.size >= 1000 && oldest !== undefined) known.delete(oldest);
      known.set(cookieHeader, JSON.stringify(session.data));
      return session;
    },
  };
}

const plain = remembering(storageFor(false));
const secured = remembering(storageFor(true));

/** Secure where the browser came by https, also behind a trusted proxy. */
export const isHttps = (request: Request): boolean => originOf(request).startsWith('https:');

const [newest, ...older] = sessionSecrets();
/** Reads what the newest secret has signed, and nothing else. Only while there are two. */
const signedAnew = older.length > 0 ? createCookie('session', { secrets: [newest] }) : undefined;

/** Who is at work while a secret is exchanged has a cookie of the new one before the old one goes. */
async function isOfOlderSecret({ data }: Session<SignedInSession, Flash>, cookieHeader: string | null) {
  if (!signedAnew || Object.keys(data).length === 0) return false;
  return (await signedAnew.parse(cookieHeader)) === null;
}

const sessionContext = createContext<Session<SignedInSession, Flash>>();

export const getSession = (context: Readonly<RouterContextProvider>) => context.get(sessionContext);

/** Written back only when something changed: a page that changes nothing can be cached and prefetched. */
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
