/** A password that is given to somebody: shown once, to be changed when they sign in with it. */
import { randomInt } from 'node:crypto';
import { passwordFault } from './rules.ts';

/** Twelve characters that are not mistaken for one another. */
export function generatedPassword(): string {
  const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
  const password = Array.from({ length: 12 }, () => characters[randomInt(characters.length)]).join('');
  return passwordFault(password) ? generatedPassword() : password;
}
