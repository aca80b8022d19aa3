import { Readable } from 'node:stream';
import { readText } from '#server/platform/text/encoding.ts';

/** Decodes a text file in the encodings that school imports accept; undefined if it is no text. */
export async function textOfFile(bytes: Uint8Array): Promise<string | undefined> {
  const read = await readText(async () =>
    Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]),
  );
  if (!read) return undefined;
  let text = '';
  for await (const piece of read.pieces()) text += piece;
  return text;
}
