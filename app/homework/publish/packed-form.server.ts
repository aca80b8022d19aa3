/** The form inside its own page: one hidden field, packed, since Chinese in a plain one is sent nine bytes a character. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { PublishForm } from './form.ts';
import { parseForm } from './parse-form.ts';

/** Bytes of the unpacked form at most. */
const maxPackedBytes = 6 * 1024 * 1024;

// A form with pictures has megabytes: they are packed beside the request loop, and each further step has its own turn.
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export async function packForm(form: PublishForm): Promise<string> {
  const packed = await deflate(JSON.stringify(form));
  return packed.toString('base64url');
}

/** Also takes the plain JSON that the browser's own script sends. Undefined where it is no form. */
export async function unpackForm(held: string): Promise<PublishForm | undefined> {
  if (held.startsWith('{')) return parseForm(held);
  try {
    const json = (await inflate(Buffer.from(held, 'base64url'), { maxOutputLength: maxPackedBytes })).toString();
    await nextTurn();
    return parseForm(json);
  } catch {
    return undefined;
  }
}
