/**
 * Whether a PDF asks for a password: the /Encrypt entry of its trailer (ISO 32000-2, 7.5.5 and 7.6), which stands
 * either after a cross-reference table or in the dictionary of a cross-reference stream.
 */
import type { FileHandle } from 'node:fs/promises';

const tailBytes = 4096;
/** A cross-reference table line is 20 bytes; this holds one of 50,000 objects and its trailer. */
const sectionBytes = 1024 * 1024;

export interface PortableDocument {
  encrypted: boolean;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(Math.max(0, length));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

/** Null: not a PDF. An unreadable cross-reference is not our refusal to make: viewers repair those. */
export async function inspectPdf(file: FileHandle, fileSize: number): Promise<PortableDocument | null> {
  const head = await bytesAt(file, 0, 64);
  // Some writers put a byte order mark or blanks first; anything else in front would be another kind of file.
  if (!/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head)) return null;

  const tail = await bytesAt(file, Math.max(0, fileSize - tailBytes), Math.min(tailBytes, fileSize));
  const start = /startxref\s+(\d{1,12})(?![\s\S]*startxref)/.exec(tail)?.[1];
  const section = start && Number(start) < fileSize ? await bytesAt(file, Number(start), sectionBytes) : '';
  const dictionary = trailerOf(section);
  if (dictionary) return { encrypted: hasEncrypt(dictionary) };
  return { encrypted: await anyTrailerEncrypts(file, fileSize) };
}

/** The text of the trailer dictionary of a cross-reference section, or null where there is none. */
function trailerOf(section: string): string | null {
  if (/^\s*xref\b/.test(section)) {
    const at = section.indexOf('trailer');
    return at < 0 ? null : dictionaryAt(section, at + 'trailer'.length);
  }
  const object = /^\s*\d+\s+\d+\s+obj\b/.exec(section);
  const dictionary = object && dictionaryAt(section, object[0].length);
  return dictionary && /\/Type\s*\/XRef\b/.test(dictionary) ? dictionary : null;
}

/** The dictionary that starts at or after `from`, with strings and comments blanked, so that only its own words remain. */
function dictionaryAt(text: string, from: number): string | null {
  const open = text.indexOf('<<', from);
  if (open < 0 || text.slice(from, open).trim() !== '') return null;
  let depth = 0;
  let words = '';
  for (let at = open; at < text.length; ) {
    const two = text.slice(at, at + 2);
    if (two === '<<' || two === '>>') {
      depth += two === '<<' ? 1 : -1;
      words += two;
      at += 2;
      if (depth === 0) return words;
    } else if (text[at] === '(') {
      at = afterString(text, at);
      words += ' ';
    } else if (text[at] === '<') {
      const close = text.indexOf('>', at);
      at = close < 0 ? text.length : close + 1;
      words += ' ';
    } else if (text[at] === '%') {
      const line = text.slice(at).search(/[\r\n]/);
      at = line < 0 ? text.length : at + line;
    } else {
      words += text[at];
      at += 1;
    }
  }
  return null;
}

/** Strings may hold balanced parentheses and escaped ones. */
function afterString(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '(') depth += 1;
    else if (text[at] === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** A name may be written with hexadecimal escapes: /Encr#79pt is /Encrypt. */
function hasEncrypt(dictionary: string): boolean {
  const plain = dictionary.replace(/#([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return /\/Encrypt(?=[\s<[/\d])/.test(plain) && !/\/Encrypt\s+null\b/.test(plain);
}

/** For a file whose last cross-reference cannot be found: any trailer or cross-reference stream in it. */
async function anyTrailerEncrypts(file: FileHandle, fileSize: number): Promise<boolean> {
  const overlap = 8192;
  for (let position = 0; position < fileSize; position += sectionBytes) {
    const text = await bytesAt(file, position, sectionBytes + overlap);
    for (const match of text.matchAll(/trailer|\d+\s+\d+\s+obj\b/g)) {
      const dictionary = dictionaryAt(text.slice(match.index, match.index + overlap), match[0].length);
      if (!dictionary) continue;
      const isTrailer = match[0] === 'trailer' || /\/Type\s*\/XRef\b/.test(dictionary);
      if (isTrailer && hasEncrypt(dictionary)) return true;
    }
  }
  return false;
}
