// Files as senders really have them, made on the spot.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateSync } from 'node:zlib';
import { utils as compoundFile, write as writeCompound } from 'cfb';
import { onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';
import { createStorage, type Storage } from '#server/platform/files/storage.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function storageForTest(): Promise<{ storage: Storage; directory: string }> {
  const directory = await temporaryFolder();
  return { storage: await createStorage({ directory }), directory };
}

export async function asFile(name: string, bytes: Uint8Array): Promise<{ name: string; path: string; size: number }> {
  const path = join(await temporaryFolder(), 'received');
  await writeFile(path, bytes);
  return { name, path, size: bytes.byteLength };
}

export async function zipOf(parts: Record<string, string | Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [name, contents] of Object.entries(parts)) zip.addBuffer(Buffer.from(contents), name);
  zip.end();
  return Buffer.from(await buffer(zip.outputStream));
}

/** Sets the "encrypted" flag (APPNOTE 4.4.4, bit 0) in every entry, as `zip -P` does. */
export function withPassword(zip: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const locked = Buffer.from(zip);
  for (let at = 0; at < locked.length - 4; at += 1) {
    const signature = locked.readUInt32LE(at);
    const flags = signature === 0x04034b50 ? at + 6 : signature === 0x02014b50 ? at + 8 : 0;
    if (flags) locked.writeUInt16LE(locked.readUInt16LE(flags) | 1, flags);
  }
  return locked;
}

const office = 'application/vnd.openxmlformats-officedocument';

export function openXml(kind: 'wordprocessingml.document' | 'presentationml.presentation' | 'spreadsheetml.sheet') {
  return zipOf({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/main.xml" ContentType="${office}.${kind}.main+xml"/></Types>`,
    'main.xml': '<document/>',
  });
}

export function compound(streams: Record<string, Uint8Array>): Buffer<ArrayBuffer> {
  const container = compoundFile.cfb_new();
  compoundFile.cfb_del(container, '/Sh33tJ5');
  for (const [name, contents] of Object.entries(streams)) {
    compoundFile.cfb_add(container, `/${name}`, Buffer.from(contents) as never);
  }
  return Buffer.from(writeCompound(container, { type: 'buffer' }));
}

/** The head of a Word 97 document ([MS-DOC] 2.5.2), followed by enough to leave the small streams. */
export function wordStream({ encrypted = false, size = 8192 } = {}): Uint8Array {
  const stream = Buffer.alloc(size);
  stream.writeUInt16LE(0xa5ec, 0);
  stream.writeUInt16LE(encrypted ? 0x0100 : 0, 10);
  return stream;
}

/** CurrentUserAtom ([MS-PPT] 2.3.2). */
export function presentationUser({ encrypted = false } = {}): Uint8Array {
  const stream = Buffer.alloc(60);
  stream.writeUInt16LE(0x0ff6, 2);
  stream.writeUInt32LE(0x14, 8);
  stream.writeUInt32LE(encrypted ? 0xf3d1c4df : 0xe391c05f, 12);
  return stream;
}

const page = '1 0 obj\n<< /Type /Catalog /Title (no \\) /Encrypt 9 0 R here) >>\nendobj\n';

/** A PDF with a cross-reference table. */
export function pdfWithTable(trailer: string): Buffer {
  const body = `%PDF-1.4\n${page}`;
  return Buffer.from(
    `${body}xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 2 /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A PDF 1.5 with a cross-reference stream, whose dictionary is the trailer. */
export function pdfWithStream(trailer: string): Buffer {
  const body = `%PDF-1.5\n${page}`;
  const stream = deflateSync(Buffer.alloc(12));
  return Buffer.concat([
    Buffer.from(`${body}7 0 obj\n<< /Type /XRef /Size 2 /W [1 2 1] ${trailer} /Length ${stream.length} >>\nstream\n`),
    stream,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`),
  ]);
}

/** A PNG header of the stated size without pixel data, as a decompression bomb would send it. */
export function pngHead(width: number, height: number): Buffer {
  const head = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a', 'hex').copy(head);
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.set([8, 2, 0, 0, 0], 24);
  head.writeUInt32BE(crc32(head.subarray(12, 29)), 29);
  const empty = deflateSync(Buffer.alloc(0));
  const data = Buffer.alloc(12 + empty.length);
  data.writeUInt32BE(empty.length, 0);
  data.write('IDAT', 4, 'latin1');
  empty.copy(data, 8);
  data.writeUInt32BE(crc32(data.subarray(4, 8 + empty.length)), 8 + empty.length);
  return Buffer.concat([head, data]);
}
