/** The bytes of a text file as its characters, in whatever a school's computer has saved them. Never held whole. */
import type { Readable } from 'node:stream';

export type Encoding = 'utf-8' | 'gb18030' | 'utf-16le' | 'utf-16be';

export interface ReadText {
  encoding: Encoding;
  hasMark: boolean;
  pieces: () => AsyncGenerator<string>;
}

/** Gives the bytes from their beginning, as often as it is asked. */
export type OpenBytes = () => Promise<Readable>;

/** Undefined where it is no text. A mark at the beginning says; else it is UTF-8 where it can be, and GB18030. */
export async function readText(open: OpenBytes): Promise<ReadText | undefined> {
  const marked = await markOf(open);
  const asked: Encoding[] = marked ? [marked] : ['utf-8', 'gb18030'];
  for (const encoding of asked) {
    if (await isText(open, encoding)) {
      // A decoder leaves the mark out.
      return { encoding, hasMark: marked !== undefined, pieces: () => decoded(open, encoding) };
    }
  }
  return undefined;
}

async function markOf(open: OpenBytes): Promise<Encoding | undefined> {
  let head = Buffer.alloc(0);
  for await (const chunk of await open()) {
    head = Buffer.concat([head, chunk as Buffer]);
    if (head.length >= 3) break;
  }
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/** No text has a zero in it; what GB18030 cannot read is not Chinese. */
async function isText(open: OpenBytes, encoding: Encoding): Promise<boolean> {
  try {
    for await (const piece of decoded(open, encoding)) if (piece.includes('\0')) return false;
    return true;
  } catch (error) {
    // What a decoder says of bytes that it cannot read.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function* decoded(open: OpenBytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const chunk of await open()) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
