/** What tells the browser that went to a provider from another one, to which somebody sent the way back. */
import { randomBytes } from 'node:crypto';
import { createCookie } from 'react-router';
import { isHttps } from '../shell/session.server.ts';

/** Where it comes by https its name keeps neighbouring sites of the same domain from setting it. */
const cookieFor = (request: Request) =>
  isHttps(request)
    ? createCookie('__Host-identity', { path: '/', httpOnly: true, sameSite: 'lax', secure: true })
    : createCookie('identity', { path: '/', httpOnly: true, sameSite: 'lax' });

/** The browser's key, with the header that keeps it where it has none yet. One for all ways that it is on. */
export async function browserKey(request: Request): Promise<{ key: string; headers: Record<string, string> }> {
  const kept = await keptBrowserKey(request);
  if (kept) return { key: kept, headers: {} };
  const key = randomBytes(32).toString('base64url');
  return { key, headers: { 'Set-Cookie': await cookieFor(request).serialize(key) } };
}

/** Empty: the browser has none. */
export async function keptBrowserKey(request: Request): Promise<string> {
  const kept: unknown = await cookieFor(request).parse(request.headers.get('Cookie'));
  return typeof kept === 'string' && /^[\w-]{43}$/.test(kept) ? kept : '';
}
