/** The pictures of our own storage that HTML shows, read for print. No other address is ever looked at. */
import type { Storage } from '#server/platform/files/storage.ts';
import type { Html, Pictures } from './render.ts';

/** Bytes and number; what is beyond is shown as missing. */
const most = { one: 10 * 1024 * 1024, all: 100 * 1024 * 1024, count: 500 };

// The texts are only searched, not parsed: that is the worker's, and a page may be 2 MB.
const ownFile = /\/files\/(\d{4}\/\d{2}\/[a-z0-9]{26}\.[a-z0-9]{1,8})(?:\?[\w\-=&;%.]*)?/g;

/** By their `src`, as `renderPaper` and `renderHtmlPdf` take them. A file that is gone is left out. */
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
