/** Keys of stored files: `yyyy/mm/<random>.<extension>`. */
import { randomBytes } from 'node:crypto';

/** Pattern of a storage key, in a regular expression that databases understand too. */
export const keyPattern = '\\d{4}/\\d{2}/[a-z0-9]{26}\\.[a-z0-9]{1,8}';
const keyForm = new RegExp(`^${keyPattern}$`);

/** True for a well-formed storage key. Only `newKey` makes keys. */
export function isStorageKey(key: string): boolean {
  return keyForm.test(key);
}

/** Makes a key with 130 random bits. Lower-case ASCII is valid on every file system and in every bucket. */
export function newKey(extension: string, now: Date): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const random = Array.from(randomBytes(26), (byte) => alphabet[byte & 31]).join('');
  const month = String(now.getUTCMonth() + 1).padStart(2, '0');
  const key = `${now.getUTCFullYear()}/${month}/${random}.${extension}`;
  if (!isStorageKey(key)) throw new Error(`Not an extension for a stored file: ${extension}`);
  return key;
}
