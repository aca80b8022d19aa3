import { randomInt } from 'node:crypto';
import { passwordFault } from './rules.ts';

/** A random password without characters that are easily confused. */
export function generatedPassword(length = 12): string {
  const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
  const password = Array.from({ length }, () => characters[randomInt(characters.length)]).join('');
  return passwordFault(password) ? generatedPassword(length) : password;
}
