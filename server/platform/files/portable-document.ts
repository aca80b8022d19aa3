/**
 * Detects password-protected PDFs by the /Encrypt entry of the trailer (ISO 32000-2, 7.5.5 and 7.6). The trailer
 * follows a cross-reference table or is part of a cross-reference stream.
 */
import type { FileHandle } from 'node:fs/promises';

const tailBytes = 4096;
/** Bytes read for a cross-reference section: enough for a table of 50,000 objects (20 bytes each) and the trailer. */
const sectionBytes = 1024 * 1024;

export interface PortableDocument {
  encrypted: boolean;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(Math.max(0, length));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

/**
 * Tells whether a PDF is encrypted; null if the file is no PDF. A broken cross-reference is accepted, because viewers
 * repair it.
 */
export async function inspectPdf(file: FileHandle, fileSize: number): Promise<PortableDocument | null> {
  const head = await bytesAt(file, 0, 64);
  // Only a byte order mark or white space may precede the header; anything else means another kind of file.
  if (!/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head)) return null;

  const tail = await bytesAt(file, Math.max(0, fileSize - tailBytes), Math.min(tailBytes, fileSize));
  const start = /startxref\s+(\d{1,12})(?![\s\S]*startxref)/.exec(tail)?.[1];
  const section = start && Number(start) < fileSize ? await bytesAt(file, Number(start), sectionBytes) : '';
  const dictionary = trailerOf(section);
  if (dictionary) return { encrypted: hasEncrypt(dictionary) };
  return { encrypted: await anyTrailerEncrypts(file, fileSize) };
}

/** Returns the trailer dictionary of a cross-reference section; null if there is none. */
function trailerOf(section: string): string | null {
  if (/^\s*xref\b/.test(section)) {
    const at = section.indexOf('trailer');
    return at < 0 ? null : dictionaryAt(section, at + 'trailer'.length);
  }
  const object = /^\s*\d+\s+\d+\s+obj\b/.exec(section);
  const dictionary = object && dictionaryAt(section, object[0].length);
  return dictionary && /\/Type\s*\/XRef\b/.test(dictionary) ? dictionary : null;
}

/** Returns the dictionary that starts at `from` after white space, with strings and comments blanked. */
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

/** Returns the index after a string, which may hold balanced and escaped parentheses. */
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

/** Decodes hex escapes in names: /Encr#79pt is /Encrypt. */
function hasEncrypt(dictionary: string): boolean {
  const plain = dictionary.replace(/#([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return /\/Encrypt(?=[\s<[/\d])/.test(plain) && !/\/Encrypt\s+null\b/.test(plain);
}

/** Fallback if the last cross-reference is not found: searches every trailer and cross-reference stream. */
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
