/** Which answers are compressed here, and how hard it is tried. */
import { gzipSync } from 'node:zlib';

/** Bytes from which on an answer is worth it, as those who compress the others have it. */
const worthFrom = 1024;
const level = 4;

/** Compressed by gzip; undefined for what is too small to be worth it. */
export const gzipped = (body: string | Uint8Array): Uint8Array<ArrayBuffer> | undefined =>
  Buffer.byteLength(body) < worthFrom ? undefined : gzipSync(body, { level });

/** Whether a browser takes what is compressed so, by its Accept-Encoding. */
export function takesCoding(accepted: string | string[] | null | undefined, coding: string): boolean {
  const codings = String(accepted ?? '')
    .toLowerCase()
    .split(',');
  const weighed = codings.map((one) => one.trim().split(/\s*;\s*q=/));
  const said = weighed.find(([name]) => name === coding) ?? weighed.find(([name]) => name === '*');
  return said !== undefined && Number(said[1] ?? 1) > 0;
}
