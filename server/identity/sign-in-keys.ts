/** Keys of a pending sign-in at a provider, and the addresses that it may lead to. */
import { createHash, randomBytes } from 'node:crypto';

/** Generates 32 random bytes as text for a cookie or URL. */
export const newKey = (): string => randomBytes(32).toString('base64url');
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** True if a key has the form of ours. The browser keeps such a key while the user is at the provider. */
export const isBrowserKey = (key: string): boolean => /^[\w-]{43}$/.test(key);

/**
 * True for a path of this site. Other targets are refused, against open redirects. The screens have the same maximum
 * length.
 */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[!-~]{0,1500}$/.test(path) || path === '/';
