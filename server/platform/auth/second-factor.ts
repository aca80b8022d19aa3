/**
 * Second factor (two-factor authentication): six-digit codes of an authenticator app (TOTP, RFC 6238: SHA-1, 30
 * seconds), and single-use recovery codes for a lost phone.
 */
import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Seconds that one code is valid. */
const period = 30;
/** Number of codes accepted before and after the current one, because phone clocks may be off by some seconds. */
const window = 1;

/** Returns a new 160-bit secret in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** True for a secret as `newSecret` makes it. */
export const isSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** Returns the otpauth:// address for the QR code: account label, issuer and secret. */
export const otpauthUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period }).toString();

/**
 * Returns the time step (number of the 30-second period) of a code near `now` (unix seconds); undefined if the code is
 * wrong.
 */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period });
  const delta = totp.validate({ token: code, timestamp: now * 1000, window });
  return delta === null ? undefined : Math.floor(now / period) + delta;
}

/** Returns the code that an authenticator app shows at `now` (unix seconds). */
export const codeAt = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), period }).generate({ timestamp: now * 1000 });

const recoveryCodes = 10;
/** Alphabet of recovery codes, without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns new recovery codes: two groups of five characters, 49 bits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => {
    const text = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('');
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });

/** Returns the stored hash of a recovery code; ignores case, spaces and hyphens. */
export const recoveryHash = (code: string): string =>
  createHash('sha256').update(code.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')).digest('base64url');
