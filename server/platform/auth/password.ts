/** Password hashing: argon2id of node:crypto with 19 MiB, two passes, one lane (OWASP's first choice). */
import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hashInTurn } from './hashing.ts';

const argon2Now = promisify(argon2Callback);
const argon2 = (...given: Parameters<typeof argon2Now>) => hashInTurn(() => argon2Now(...given));
const cost = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

/** Returns a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await argon2('argon2id', { message: Buffer.from(password), nonce, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(hash)}`;
}

export async function passwordMatches(password: string, phc: string): Promise<boolean> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!found) return false;
  const [memory, passes, parallelism] = found.slice(1, 4).map(Number) as [number, number, number];
  const expected = Buffer.from(found[5] as string, 'base64');
  const hash = await argon2('argon2id', {
    message: Buffer.from(password),
    nonce: Buffer.from(found[4] as string, 'base64'),
    parallelism,
    memory,
    passes,
    tagLength: expected.length,
  });
  return timingSafeEqual(hash, expected);
}

/**
 * Returns a hash to compare a password with if the name is unknown. The answer then takes as long as for a wrong
 * password, so that timing does not reveal which names exist.
 */
let nobody: Promise<string> | undefined;
export function dummyPasswordHash(): Promise<string> {
  nobody ??= hashPassword(randomBytes(16).toString('hex')).catch((error) => {
    nobody = undefined;
    throw error;
  });
  return nobody;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
