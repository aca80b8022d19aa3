/** Packs the form into one hidden field, deflated: in a plain field each Chinese character takes nine bytes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { PublishForm } from './form.ts';
import { parseForm } from './parse-form.ts';

/** Maximum size of the unpacked form, in bytes. */
const maxPackedBytes = 6 * 1024 * 1024;

// Asynchronous, because a form with pictures has megabytes, and must not block the event loop.
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export async function packForm(form: PublishForm): Promise<string> {
  const packed = await deflate(JSON.stringify(form));
  return packed.toString('base64url');
}

/** Unpacks the form. Also accepts the plain JSON that the hydrated form sends. Undefined if it is not a valid form. */
export async function unpackForm(packed: string): Promise<PublishForm | undefined> {
  if (packed.startsWith('{')) return parseForm(packed);
  try {
    const json = (await inflate(Buffer.from(packed, 'base64url'), { maxOutputLength: maxPackedBytes })).toString();
    await nextTurn();
    return parseForm(json);
  } catch {
    return undefined;
  }
}
