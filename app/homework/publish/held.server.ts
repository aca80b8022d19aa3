/** The form inside its own page: one hidden field, packed, since Chinese in a plain one is sent nine bytes a character. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type PublishForm, parseForm } from './form.ts';

/** Bytes of the unpacked form at most. */
const heldMost = 24 * 1024 * 1024;

export const packForm = (form: PublishForm): string => deflateRawSync(JSON.stringify(form)).toString('base64url');

/** Also takes the plain JSON that the browser's own script sends. Undefined where it is no form. */
export function unpackForm(held: string): PublishForm | undefined {
  if (held.startsWith('{')) return parseForm(held);
  try {
    return parseForm(inflateRawSync(Buffer.from(held, 'base64url'), { maxOutputLength: heldMost }).toString());
  } catch {
    return undefined;
  }
}
