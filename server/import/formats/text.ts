/** Decodes text files in the encodings of Chinese office computers, as a stream. */
import type { Readable } from 'node:stream';

export type Encoding = 'utf-8' | 'gb18030' | 'utf-16le' | 'utf-16be';

export interface ReadText {
  encoding: Encoding;
  hasMark: boolean;
  pieces: () => AsyncGenerator<string>;
}

/** Opens the bytes from the beginning; can be called several times. */
export type ByteOpener = () => Promise<Readable>;

/** Undefined if it is no text. A byte order mark decides; else UTF-8 if valid, else GB18030. */
export async function readText(open: ByteOpener): Promise<ReadText | undefined> {
  const marked = await markOf(open);
  const candidates: Encoding[] = marked ? [marked] : ['utf-8', 'gb18030'];
  for (const encoding of candidates) {
    if (await isText(open, encoding)) {
      // The decoder removes the byte order mark.
      return { encoding, hasMark: marked !== undefined, pieces: () => decoded(open, encoding) };
    }
  }
  return undefined;
}

async function markOf(open: ByteOpener): Promise<Encoding | undefined> {
  let head = Buffer.alloc(0);
  for await (const chunk of await open()) {
    head = Buffer.concat([head, chunk as Buffer]);
    if (head.length >= 3) break;
  }
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/** A NUL, or bytes invalid in GB18030, mean that it is no Chinese text. */
async function isText(open: ByteOpener, encoding: Encoding): Promise<boolean> {
  try {
    for await (const piece of decoded(open, encoding)) if (piece.includes('\0')) return false;
    return true;
  } catch (error) {
    // The decoder's error for invalid bytes.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* decoded(open: ByteOpener, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of await open()) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
