/** Decodes text files, as a stream, in the encodings that Chinese office computers use. */
import type { Readable } from 'node:stream';

export type Encoding = 'utf-8' | 'gb18030' | 'utf-16le' | 'utf-16be';

export interface ReadText {
  encoding: Encoding;
  hasMark: boolean;
  pieces: () => AsyncGenerator<string>;
}

/** Opens the bytes from their beginning; may be called several times. */
export type ByteOpener = () => Promise<Readable>;

/**
 * Finds the encoding: a byte order mark decides, otherwise UTF-8 if the bytes are valid, otherwise GB18030. Undefined
 * if the file is no text.
 */
export async function readText(open: ByteOpener): Promise<ReadText | undefined> {
  const marked = await markOf(open);
  const candidates: Encoding[] = marked ? [marked] : ['utf-8', 'gb18030'];
  for (const encoding of candidates) {
    if (await isText(open, encoding)) {
      // The decoder itself removes the byte order mark.
      return { encoding, hasMark: marked !== undefined, pieces: () => decodeText(open, encoding) };
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

/** False if the file contains a NUL, or bytes that are invalid in GB18030 too: then it is no Chinese text. */
async function isText(open: ByteOpener, encoding: Encoding): Promise<boolean> {
  try {
    for await (const piece of decodeText(open, encoding)) if (piece.includes('\0')) return false;
    return true;
  } catch (error) {
    // The decoder throws a TypeError for invalid bytes.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* decodeText(open: ByteOpener, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of await open()) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
