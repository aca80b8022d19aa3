/** The signed cookie that keeps the token of a browser, and the message that the next page shows once. */

import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createCookie,
  createCookieSessionStorage,
  createSession,
  type Session,
  type SessionStorage,
} from 'react-router';
import { createSessionMiddleware } from 'remix-utils/middleware/session';

export interface SignedInSession {
  token: string;
  identity: 'teacher' | 'assist';
}
export interface Flash {
  flash: { kind: 'success' | 'warning'; msg: string };
}
export type BrowserSession = Session<SignedInSession, Flash>;

const behindProxy = process.env.TRUST_PROXY === '1';

function storageFor(secure: boolean) {
  return createCookieSessionStorage<SignedInSession, Flash>({
    cookie: createCookie('session', { path: '/', httpOnly: true, sameSite: 'lax', secure, secrets: [sessionSecret()] }),
  });
}

/** SESSION_SECRET, else one that is made once and kept in the data folder, readable by the server only. */
function sessionSecret(): string {
  if (process.env.SESSION_SECRET) return process.env.SESSION_SECRET;
  const folder = path.resolve(process.env.VAR_DIR || 'var');
  const file = path.join(folder, 'session-secret');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another process made it in this moment: then it is that one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

type Storage = SessionStorage<SignedInSession, Flash>;

/**
 * The same cookie comes with every request of a sign-in: its signature is checked once and what it said is kept, for
 * the last thousand cookies. A session of its own is made of it each time, so nothing leaks between requests.
 */
function remembering(storage: Storage): Storage {
  const known = new Map<string, string>();
  return {
    ...storage,
    async getSession(cookieHeader) {
      const value = /(?:^|;\s*)session=([^;]+)/.exec(cookieHeader ?? '')?.[1];
      if (!value) return storage.getSession(cookieHeader);
      const data = known.get(value);
      if (data !== undefined) return createSession(JSON.parse(data));
      const session = await storage.getSession(cookieHeader);
      if (known.size >= 1000) known.delete(known.keys().next().value as string);
      known.set(value, JSON.stringify(session.data));
      return session;
    },
  };
}

const plain = remembering(storageFor(false));
const secured = remembering(storageFor(true));

/** Secure where the browser came by https, also behind a trusted proxy. */
export function isHttps(request: Request): boolean {
  const proto = behindProxy ? request.headers.get('x-forwarded-proto') : undefined;
  return (proto ?? new URL(request.url).protocol).startsWith('https');
}

/** Written back only when something changed: a page that changes nothing can be cached and prefetched. */
export const [sessionMiddleware, getSession] = createSessionMiddleware<SignedInSession, Flash>(
  (request) => (isHttps(request) ? secured : plain),
  (before, after) => JSON.stringify(before) !== JSON.stringify(after),
);
