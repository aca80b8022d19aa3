/** Ids that the OneRoster standard allows. */
import { createHash } from 'node:crypto';
import { idLimit, isId } from './oneroster-format.ts';

/** An id that the standard allows; others are encoded, always the same way. */
export function encodeId(id: string): string {
  if (isId(id)) return id;
  const coded = `x-${Buffer.from(id).toString('base64url')}`;
  return coded.length <= idLimit ? coded : `x-${createHash('sha256').update(id).digest('hex')}`;
}

/** Id of the homeroom course of a school. */
export const homeroomId = (school: string): string => encodeId(`homeroom-${school}`);
