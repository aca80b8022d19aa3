/**
 * The second factor of whoever signs in: a code of six digits that an authenticator application makes of a secret and the
 * time (RFC 6238: SHA-1, 30 seconds), and codes for the day on which the telephone is lost, each good once.
 */
import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Seconds of one code. */
const period = 30;
/** Codes before and after the present one that are taken as well: clocks of telephones are seconds off. */
const window = 1;

/** A new secret in base32, of 160 bits. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** Whether a text is a secret as it is made here. */
export const isSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text);

/** What an authenticator application reads from a picture: whose account it is, and of which product. */
export const enrolmentAddress = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period }).toString();

/** The time step whose code this is, near `now` (unix seconds); undefined where it is none. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period });
  const delta = totp.validate({ token: code, timestamp: now * 1000, window });
  return delta === null ? undefined : Math.floor(now / period) + delta;
}

/** The code of a moment, as an application shows it. */
export const codeAt = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), period }).generate({ timestamp: now * 1000 });

const recoveryCodes = 10;
/** Without letters that are taken for others. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** New recovery codes: two groups of five letters, 49 bits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => {
    const text = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('');
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });

/** As it is stored, however it was typed. */
export const recoveryHash = (code: string): string =>
  createHash('sha256').update(code.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')).digest('base64url');
