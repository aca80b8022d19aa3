/**
 * Keeps a random key in the browser. It binds a provider's response to the browser that started the sign-in, so that a
 * forwarded return link is useless.
 */
import { randomBytes } from 'node:crypto';
import { createCookie } from 'react-router';
import { isHttps } from '../shell/session.server.ts';

/** On HTTPS the `__Host-` prefix stops sibling domains from setting this cookie. */
const cookieFor = (request: Request) =>
  isHttps(request)
    ? createCookie('__Host-identity', { path: '/', httpOnly: true, sameSite: 'lax', secure: true })
    : createCookie('identity', { path: '/', httpOnly: true, sameSite: 'lax' });

/**
 * Returns the browser's key, and a Set-Cookie header if the key is new. One key serves all pending sign-ins of a
 * browser.
 */
export async function ensureBrowserKey(request: Request): Promise<{ key: string; headers: Record<string, string> }> {
  const kept = await readBrowserKey(request);
  if (kept) return { key: kept, headers: {} };
  const key = randomBytes(32).toString('base64url');
  return { key, headers: { 'Set-Cookie': await cookieFor(request).serialize(key) } };
}

/** Returns the key from the browser's cookie, or '' if there is none. */
export async function readBrowserKey(request: Request): Promise<string> {
  const kept: unknown = await cookieFor(request).parse(request.headers.get('Cookie'));
  return typeof kept === 'string' && /^[\w-]{43}$/.test(kept) ? kept : '';
}
