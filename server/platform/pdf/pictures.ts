/** Reads the stored pictures that HTML texts show, for print. Pictures elsewhere are ignored. */
import type { Storage } from '#server/platform/files/storage.ts';
import type { Html, Pictures } from './render.ts';

/** Limits: bytes of one picture, bytes of all, and their number. Further pictures are shown as missing. */
const most = { one: 10 * 1024 * 1024, all: 100 * 1024 * 1024, count: 500 };

// Pictures are found by a pattern: a page may have 2 MB, and parsing it is the worker's task.
const ownFile = /\/files\/(\d{4}\/\d{2}\/[a-z0-9]{26}\.[a-z0-9]{1,8})(?:\?[\w\-=&;%.]*)?/g;

/**
 * Returns the bytes of the pictures by their `src`, as `renderHtmlPdf` and the papers take them. Missing files are left
 * out.
 */
export async function storedPictures(storage: Storage, texts: readonly Html[]): Promise<Pictures> {
  const keys = new Map<string, string>();
  for (const text of texts) {
    for (const [source, key = ''] of text.matchAll(ownFile)) keys.set(source.replaceAll('&amp;', '&'), key);
  }
  const pictures: Pictures = {};
  let total = 0;
  for (const [source, key] of [...keys].slice(0, most.count)) {
    const bytes = await storage.readWhole(key, Math.min(most.one, most.all - total));
    if (!bytes) continue;
    pictures[source] = bytes;
    total += bytes.byteLength;
  }
  return pictures;
}
