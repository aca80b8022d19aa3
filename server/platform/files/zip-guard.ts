import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, fromFdPromise, type ZipFile } from 'yauzl';
import { compoundFileStreams, isCompoundFile, type ReadAt } from './compound-file.ts';

/**
 * Opens zip containers (.docx, .xlsx, .pptx, .zip) that come from outside. Nothing of a file is handed on before every
 * entry was inflated once and its REAL bytes counted: the sizes that a zip declares are claims of whoever made it.
 */

export type ZipKind = 'docx' | 'xlsx' | 'pptx' | 'zip';

export interface ZipLimits {
  /** Entries at most. */
  entries: number;
  /** Inflated bytes of one XML part at most. */
  xmlBytes: number;
  /** Inflated bytes of the whole file at most. */
  totalBytes: number;
  /** Inflated / packed bytes of one entry at most; not judged below `ratioFrom` inflated bytes, where repetitive text is usual. */
  ratio: number;
  ratioFrom: number;
}

/** For documents that are going to be parsed. */
export const parsingLimits: ZipLimits = {
  entries: 5_000,
  xmlBytes: 48 * 2 ** 20,
  totalBytes: 200 * 2 ** 20,
  ratio: 200,
  ratioFrom: 8 * 2 ** 20,
};

/** For files that are only kept, such as courseware of at most 100 MB. */
export const storageLimits: ZipLimits = {
  entries: 20_000,
  xmlBytes: 100 * 2 ** 20,
  totalBytes: 1024 * 2 ** 20,
  ratio: 200,
  ratioFrom: 32 * 2 ** 20,
};

export const zipRefusals = {
  empty: '文件是空的',
  damaged: '文件已损坏，无法打开',
  passwordOffice: '文件设有打开密码，请取消密码后再上传',
  passwordZip: '压缩包设有密码，请取消密码后再上传',
  oldOffice: '这是旧版 Office 文件（.doc、.xls、.ppt），请另存为 .docx、.xlsx、.pptx 后再上传',
  tooLarge: '文件解压后过大，已拒绝',
  unsafePath: '文件内含不安全的路径，已拒绝',
  binaryWorkbook: '这是二进制 Excel 工作簿（.xlsb），请另存为 .xlsx 后再上传',
  notThatKind: {
    docx: '文件内容不是 Word 文档（.docx）',
    xlsx: '文件内容不是 Excel 表格（.xlsx）',
    pptx: '文件内容不是 PowerPoint 演示文稿（.pptx）',
    zip: '文件内容不是 ZIP 压缩包',
  },
} as const;

export interface OpenedZip {
  /** Part name to its real inflated size in bytes. */
  sizes: ReadonlyMap<string, number>;
  /** The inflated bytes of a part as a stream; undefined where there is no such part. Names of parts ignore case. */
  stream(name: string): Promise<Readable | undefined>;
  /** The inflated bytes of a part. */
  read(name: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

export type OpenedZipOrRefusal = { ok: OpenedZip } | { refused: string };

const mainPart: Record<Exclude<ZipKind, 'zip'>, RegExp> = {
  // Word for the web numbers the part: word/document2.xml.
  docx: /^word\/document\d*\.xml$/i,
  xlsx: /^xl\/workbook\d*\.xml$/i,
  pptx: /^ppt\/presentation\d*\.xml$/i,
};

/**
 * Opens `source` (the bytes, or the path of a file) as a container of `kind`. Refusals carry the sentence for the
 * screen. The caller closes what it was given.
 */
export async function openZip(
  source: Uint8Array | string,
  kind: ZipKind,
  limits: ZipLimits = parsingLimits,
): Promise<OpenedZipOrRefusal> {
  const file = typeof source === 'string' ? await openPath(source) : openBytes(source);
  try {
    const refused = await refusalByHead(file, kind);
    if (refused) return await refuse(file, refused);
    const zip = await file.openZip().catch(() => undefined);
    if (!zip) return await refuse(file, zipRefusals.notThatKind[kind]);
    const entries = await safeEntries(zip, limits);
    if ('refused' in entries) return await refuse(file, entries.refused);
    const wrongKind = refusalByParts(entries.ok, kind);
    if (wrongKind) return await refuse(file, wrongKind);
    const sizes = await countInflated(zip, entries.ok, limits);
    if ('refused' in sizes) return await refuse(file, sizes.refused);
    return { ok: openedZip(zip, entries.ok, sizes.ok, file.close) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Source {
  size: number;
  readAt: ReadAt;
  openZip(): Promise<ZipFile>;
  close(): Promise<void>;
}

// File names stay bytes: a zip made on a Chinese Windows names its files in GBK, which no flag announces.
const yauzlOptions = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true } as const;

function openBytes(bytes: Uint8Array): Source {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    readAt: async (offset, length) => buffer.subarray(offset, offset + length),
    openZip: () => fromBufferPromise(buffer, yauzlOptions),
    close: async () => {},
  };
}

async function openPath(path: string): Promise<Source> {
  const handle: FileHandle = await open(path, 'r');
  const { size } = await handle.stat();
  let closed = false;
  return {
    size,
    readAt: async (offset, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    openZip: () => fromFdPromise(handle.fd, yauzlOptions),
    close: async () => {
      if (closed) return;
      closed = true;
      await handle.close();
    },
  };
}

async function refuse(file: Source, message: string): Promise<{ refused: string }> {
  await file.close();
  return { refused: message };
}

async function refusalByHead(file: Source, kind: ZipKind): Promise<string | undefined> {
  if (file.size === 0) return zipRefusals.empty;
  const head = await file.readAt(0, 8);
  if (!isCompoundFile(head)) {
    // A zip may legally follow other bytes; a program with a document appended to it must not pass for a document.
    return head.toString('latin1').startsWith('PK') ? undefined : zipRefusals.notThatKind[kind];
  }
  const streams = await compoundFileStreams(file.readAt);
  if (streams.includes('EncryptedPackage') || streams.includes('EncryptionInfo')) return zipRefusals.passwordOffice;
  const isOldOffice = streams.some((name) => /^(WordDocument|Workbook|Book|PowerPoint Document)$/.test(name));
  return isOldOffice && kind !== 'zip' ? zipRefusals.oldOffice : zipRefusals.notThatKind[kind];
}

/** Part names are ASCII by rule (ECMA-376 part 2); others only ever matter as distinct names. */
const nameOf = (entry: Entry): string =>
  Buffer.from(entry.fileNameRaw)
    .toString(entry.generalPurposeBitFlag & 0x800 ? 'utf8' : 'latin1')
    // Some .NET writers separate folders the Windows way.
    .replaceAll('\\', '/');

const isUnsafeName = (name: string): boolean =>
  name.includes('\0') || /^[a-z]:/i.test(name) || name.startsWith('/') || name.split('/').includes('..');

async function safeEntries(zip: ZipFile, limits: ZipLimits): Promise<{ ok: Map<string, Entry> } | { refused: string }> {
  const entries = new Map<string, Entry>();
  let declaredBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (isUnsafeName(name)) return { refused: zipRefusals.unsafePath };
      if (entry.isEncrypted()) return { refused: zipRefusals.passwordZip };
      // Two entries of one name let two readers see two different files.
      if (entries.has(name.toLowerCase())) return { refused: zipRefusals.damaged };
      entries.set(name.toLowerCase(), entry);
      declaredBytes += entry.uncompressedSize;
      // An honest bomb is refused before a byte of it is inflated.
      if (entries.size > limits.entries || declaredBytes > limits.totalBytes) return { refused: zipRefusals.tooLarge };
    }
  } catch (error) {
    return { refused: /encrypt/i.test(String(error)) ? zipRefusals.passwordZip : zipRefusals.damaged };
  }
  return overlap([...entries.values()]) ? { refused: zipRefusals.tooLarge } : { ok: entries };
}

/** Entries that share their packed bytes multiply a small bomb without any entry looking large. */
function overlap(entries: readonly Entry[]): boolean {
  const spans = entries
    .map((entry) => ({
      from: entry.relativeOffsetOfLocalHeader,
      to: entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize,
    }))
    .sort((one, other) => one.from - other.from);
  return spans.some((span, index) => index > 0 && span.from < (spans[index - 1]?.to ?? 0));
}

function refusalByParts(entries: ReadonlyMap<string, Entry>, kind: ZipKind): string | undefined {
  if (kind === 'zip') return undefined;
  const names = [...entries.keys()];
  if (kind === 'xlsx' && names.includes('xl/workbook.bin')) return zipRefusals.binaryWorkbook;
  const isKind = names.includes('[content_types].xml') && names.some((name) => mainPart[kind].test(name));
  return isKind ? undefined : zipRefusals.notThatKind[kind];
}

async function countInflated(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  limits: ZipLimits,
): Promise<{ ok: Map<string, number> } | { refused: string }> {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const [name, entry] of entries) {
    const isXml = /\.(?:xml|rels|vml)$/.test(name);
    const most = Math.min(
      isXml ? limits.xmlBytes : limits.totalBytes,
      limits.totalBytes - total,
      Math.max(limits.ratioFrom, entry.compressedSize * limits.ratio),
    );
    const size = await inflatedSize(zip, entry, most);
    if (size === 'damaged') return { refused: zipRefusals.damaged };
    if (size === 'too large') return { refused: zipRefusals.tooLarge };
    total += size;
    sizes.set(name, size);
  }
  return { ok: sizes };
}

async function inflatedSize(zip: ZipFile, entry: Entry, most: number): Promise<number | 'damaged' | 'too large'> {
  let size = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    // Leaving the loop destroys the stream: a bomb is not inflated beyond the limit.
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > most) return 'too large';
    }
  } catch {
    return 'damaged';
  }
  return size;
}

function openedZip(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  sizes: ReadonlyMap<string, number>,
  close: () => Promise<void>,
): OpenedZip {
  const stream = async (name: string): Promise<Readable | undefined> => {
    const entry = entries.get(name.toLowerCase());
    return entry && zip.openReadStreamPromise(entry);
  };
  return {
    sizes,
    stream,
    read: async (name) => {
      const bytes = await stream(name);
      if (!bytes) return undefined;
      const chunks: Buffer[] = [];
      for await (const chunk of bytes) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    close,
  };
}
