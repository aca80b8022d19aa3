import { createHash } from 'node:crypto';
import { idLimit, isId } from './oneroster-format.ts';

/**
 * Returns the id itself if the OneRoster standard allows it; otherwise an encoded one, always the same for the same id.
 */
export function encodeId(id: string): string {
  if (isId(id)) return id;
  const coded = `x-${Buffer.from(id).toString('base64url')}`;
  return coded.length <= idLimit ? coded : `x-${createHash('sha256').update(id).digest('hex')}`;
}

/** Id of the placeholder course for a school's homerooms. */
export const homeroomId = (school: string): string => encodeId(`homeroom-${school}`);
