import { randomInt } from 'node:crypto';
import { passwordFault } from './rules.ts';

/** Twelve characters, without those that are easily confused. */
export function generatedPassword(): string {
  const characters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
  const password = Array.from({ length: 12 }, () => characters[randomInt(characters.length)]).join('');
  return passwordFault(password) ? generatedPassword() : password;
}
