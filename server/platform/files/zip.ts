// What a ZIP file holds, from its directory; only small parts that a check must read are unpacked, with real bytes
// counted, because the sizes that a ZIP states about itself are the sender's claim.

import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { extensionOf } from './rules.ts';

/** More than any presentation or exported animation holds. */
const mostEntries = 20_000;
const mostPartBytes = 1024 * 1024;

export type OpenXmlKind = 'docx' | 'pptx' | 'xlsx';

export interface ZipContents {
  /** Some entry asks for a password. */
  encrypted: boolean;
  /** Set when the file is an Office Open XML document without macros. */
  openXml: OpenXmlKind | null;
  /** Endings of the files inside, lower case, once each. */
  extensions: Set<string>;
  files: number;
}

const mainParts: [string, OpenXmlKind][] = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml', 'docx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml', 'pptx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml', 'xlsx'],
];

async function readPart(file: ZipFile, entry: Entry): Promise<string | null> {
  if (entry.uncompressedSize > mostPartBytes) return null;
  // The stream fails when more bytes come out than the entry states (yauzl: validateEntrySizes).
  const stream = await file.openReadStreamPromise(entry);
  return (await buffer(stream)).toString('utf8');
}

/** Null: not a readable ZIP file, or one with more entries than any honest file has. */
export async function inspectZip(path: string): Promise<ZipContents | null> {
  let file: ZipFile;
  try {
    // Names that lead out of the folder are refused by the library's own check.
    file = await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch {
    return null;
  }
  const contents: ZipContents = { encrypted: false, openXml: null, extensions: new Set(), files: 0 };
  try {
    if (file.entryCount > mostEntries) return null;
    for await (const entry of file.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      contents.files += 1;
      if (contents.files > mostEntries) return null;
      contents.extensions.add(extensionOf(entry.fileName));
      if (entry.isEncrypted()) contents.encrypted = true;
      else if (entry.fileName === '[Content_Types].xml') {
        const types = await readPart(file, entry);
        contents.openXml = mainParts.find(([type]) => types?.includes(`"${type}"`))?.[1] ?? null;
      }
    }
    return contents;
  } catch {
    return null;
  } finally {
    file.close();
  }
}
