import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, fromFdPromise, type ZipFile } from 'yauzl';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { inspectCompound, isCompound, type ReadAt, readerOf } from './compound-file.ts';
import { emptyFileMessage } from './rules.ts';

/**
 * Opens untrusted zip containers (.docx, .xlsx, .pptx, .zip). Protects against zip bombs: every entry is inflated once
 * and its real bytes are counted before anything is returned. Declared sizes are not trusted.
 */

export type ZipKind = 'docx' | 'xlsx' | 'pptx' | 'zip';

export interface ZipLimits {
  /** Maximum number of entries. */
  entries: number;
  /** Maximum inflated bytes of one XML part. */
  xmlBytes: number;
  /** Maximum inflated bytes of the whole file. */
  totalBytes: number;
  /**
   * Maximum ratio of inflated to packed bytes of an entry. Only checked from `ratioFrom` inflated bytes on, because
   * repetitive text packs well.
   */
  ratio: number;
  ratioFrom: number;
}

/** Limits for zip containers that the server parses, such as a .docx. */
export const parsedZipLimits: ZipLimits = {
  entries: 5_000,
  xmlBytes: 48 * 2 ** 20,
  totalBytes: 200 * 2 ** 20,
  ratio: 200,
  ratioFrom: 8 * 2 ** 20,
};

/** Limits for zip containers that are only stored, such as courseware of at most 200 MB. */
export const storedZipLimits: ZipLimits = {
  entries: 20_000,
  xmlBytes: 100 * 2 ** 20,
  totalBytes: 1024 * 2 ** 20,
  ratio: 200,
  ratioFrom: 32 * 2 ** 20,
};

export const zipRefusals = {
  empty: { refused: 422, message: emptyFileMessage },
  damaged: { refused: 422, message: '文件已损坏，无法打开' },
  passwordOffice: { refused: 422, message: 'Office 文件设有密码，请取消密码后再上传' },
  passwordZip: { refused: 422, message: '压缩包设有密码，请取消密码后再上传' },
  oldOffice: {
    refused: 415,
    message: '这是旧版 Office 文件（.doc、.xls、.ppt），请另存为 .docx、.xlsx、.pptx 后再上传',
  },
  macros: {
    refused: 415,
    message: '这是含有宏的文件（.docm、.xlsm、.pptm），请另存为 .docx、.xlsx、.pptx 后再上传',
  },
  twice: { refused: 422, message: '文件里有两个部分的名称相同（不分大小写），分不清以哪一个为准，已拒绝' },
  tooLarge: { refused: 422, message: '文件解压后过大，已拒绝' },
  unsafePath: { refused: 422, message: '文件内含不安全的路径，已拒绝' },
  binaryWorkbook: { refused: 415, message: '这是二进制 Excel 工作簿（.xlsb），请另存为 .xlsx 后再上传' },
  mismatch: { refused: 415, message: '文件内容与扩展名不符，请检查后重新上传' },
} as const satisfies Record<string, FileRefusal>;

export interface OpenedZip {
  /** Real inflated bytes of each part, by its name in lower case. */
  sizes: ReadonlyMap<string, number>;
  /** Part names as written in the file. */
  names: readonly string[];
  /** Streams the inflated bytes of a part; undefined if it is missing. Upper and lower case of part names are equal. */
  stream(name: string): Promise<Readable | undefined>;
  /** Returns the inflated bytes of a part; undefined if it is missing. */
  read(name: string): Promise<Buffer | undefined>;
  close(): Promise<void>;
}

const officeFormats = 'application/vnd.openxmlformats-officedocument';

/** Content types of a document's main part. Templates have other types. */
const mainTypes: Record<Exclude<ZipKind, 'zip'>, readonly string[]> = {
  docx: [`${officeFormats}.wordprocessingml.document.main+xml`],
  xlsx: [`${officeFormats}.spreadsheetml.sheet.main+xml`],
  pptx: [`${officeFormats}.presentationml.presentation.main+xml`, `${officeFormats}.presentationml.slideshow.main+xml`],
};
/** Content types of the main part of a document with macros, which is refused under any name. */
const macroTypes: typeof mainTypes = {
  docx: ['application/vnd.ms-word.document.macroEnabled.main+xml'],
  xlsx: ['application/vnd.ms-excel.sheet.macroEnabled.main+xml'],
  pptx: [
    'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml',
    'application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml',
  ],
};
const contentTypesPart = '[content_types].xml';
const maxContentTypes = 2 ** 20;

/**
 * Opens `source` (bytes or a path) as a container of `kind`. A refusal carries the message for the screen. The caller
 * must close the result.
 */
export async function openZip(
  source: Uint8Array | string,
  kind: ZipKind,
  limits: ZipLimits = parsedZipLimits,
): Promise<{ ok: OpenedZip } | FileRefusal> {
  const file = typeof source === 'string' ? await openPath(source) : openBytes(source);
  let opened: { ok: OpenedZip } | FileRefusal | undefined;
  try {
    opened = (await refusalByHead(file, kind)) ?? (await openChecked(file, kind, limits));
    return opened;
  } finally {
    if (!opened || 'refused' in opened) await file.close();
  }
}

async function openChecked(file: Source, kind: ZipKind, limits: ZipLimits): Promise<{ ok: OpenedZip } | FileRefusal> {
  const zip = await file.openZip().catch(() => undefined);
  if (!zip) return zipRefusals.damaged;
  const entries = await safeEntries(zip, kind, limits);
  if ('refused' in entries) return entries;
  const wrongKind = await refusalByParts(zip, entries.ok, kind);
  if (wrongKind) return wrongKind;
  const sizes = await countInflated(zip, entries.ok, limits);
  return 'refused' in sizes ? sizes : { ok: openedZip(zip, entries.ok, sizes.ok, file.close) };
}

interface Source {
  size: number;
  readAt: ReadAt;
  openZip(): Promise<ZipFile>;
  close(): Promise<void>;
}

// File names are read as bytes, because Chinese Windows writes them in GBK without saying so.
const yauzlOptions = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true } as const;

function openBytes(bytes: Uint8Array): Source {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: whole.length,
    readAt: async (offset, length) => whole.subarray(offset, offset + length),
    openZip: () => fromBufferPromise(whole, yauzlOptions),
    close: async () => {},
  };
}

async function openPath(path: string): Promise<Source> {
  const handle: FileHandle = await open(path, 'r');
  const { size } = await handle.stat();
  let closed = false;
  return {
    size,
    readAt: readerOf(handle),
    openZip: () => fromFdPromise(handle.fd, yauzlOptions),
    close: async () => {
      if (closed) return;
      closed = true;
      await handle.close();
    },
  };
}

async function refusalByHead(file: Source, kind: ZipKind): Promise<FileRefusal | undefined> {
  if (file.size === 0) return zipRefusals.empty;
  const head = await file.readAt(0, 8);
  // A zip after other bytes is refused, such as a document appended to an executable.
  if (!isCompound(head)) return isZip(head) ? undefined : zipRefusals.mismatch;
  // An Office document with a password is an encrypted package inside a compound file.
  const found = await inspectCompound(file.readAt, file.size);
  if (found?.encrypted) return zipRefusals.passwordOffice;
  return found && found.kind !== 'other' && kind !== 'zip' ? zipRefusals.oldOffice : zipRefusals.mismatch;
}

/** Checks for the signature of a zip with entries, or of an empty zip. */
const isZip = (head: Buffer): boolean => head.length >= 4 && [0x04034b50, 0x06054b50].includes(head.readUInt32LE(0));

/** Decodes a part's name. Names of Office parts are ASCII (ECMA-376 part 2); other names only need to stay distinct. */
const nameOf = (entry: Entry): string =>
  Buffer.from(entry.fileNameRaw)
    .toString(entry.generalPurposeBitFlag & 0x800 ? 'utf8' : 'latin1')
    // Some .NET writers use backslashes.
    .replaceAll('\\', '/');

const isUnsafeName = (name: string): boolean =>
  name.includes('\0') || /^[a-z]:/i.test(name) || name.startsWith('/') || name.split('/').includes('..');

async function safeEntries(
  zip: ZipFile,
  kind: ZipKind,
  limits: ZipLimits,
): Promise<{ ok: Map<string, Entry> } | FileRefusal> {
  const entries = new Map<string, Entry>();
  const withPassword = kind === 'zip' ? zipRefusals.passwordZip : zipRefusals.passwordOffice;
  let declaredBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (isUnsafeName(name)) return zipRefusals.unsafePath;
      if (entry.isEncrypted()) return withPassword;
      // Two entries with the same name are refused, because two readers might see different ones.
      if (entries.has(name.toLowerCase())) return zipRefusals.twice;
      entries.set(name.toLowerCase(), entry);
      declaredBytes += entry.uncompressedSize;
      // A zip bomb that declares its true size is refused without inflating it.
      if (entries.size > limits.entries || declaredBytes > limits.totalBytes) return zipRefusals.tooLarge;
    }
  } catch (error) {
    return /encrypt/i.test(String(error)) ? withPassword : zipRefusals.damaged;
  }
  return doOverlap([...entries.values()]) ? zipRefusals.tooLarge : { ok: entries };
}

/** True if entries share packed bytes. Sharing multiplies a small bomb, although no entry looks large. */
function doOverlap(entries: readonly Entry[]): boolean {
  const spans = entries
    .map((entry) => ({
      from: entry.relativeOffsetOfLocalHeader,
      to: entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize,
    }))
    .sort((one, other) => one.from - other.from);
  return spans.some((span, index) => index > 0 && span.from < (spans[index - 1]?.to ?? 0));
}

async function refusalByParts(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  kind: ZipKind,
): Promise<FileRefusal | undefined> {
  if (kind === 'zip') return undefined;
  if (kind === 'xlsx' && entries.has('xl/workbook.bin')) return zipRefusals.binaryWorkbook;
  const list = entries.get(contentTypesPart);
  if (!list) return zipRefusals.mismatch;
  if (list.uncompressedSize > maxContentTypes) return zipRefusals.tooLarge;
  try {
    // The stream fails if this part inflates to more than its declared size, so it cannot be a bomb.
    const types = (await buffer(await zip.openReadStreamPromise(list))).toString('utf8');
    if (namesMainPart(types, mainTypes[kind], entries)) return undefined;
    return namesMainPart(types, macroTypes[kind], entries) ? zipRefusals.macros : zipRefusals.mismatch;
  } catch {
    return zipRefusals.damaged;
  }
}

/** True if [Content_Types].xml gives one of `types` to a part, by name or by extension. */
function namesMainPart(list: string, types: readonly string[], entries: ReadonlyMap<string, Entry>): boolean {
  return [...list.matchAll(/<(?:\w+:)?(?:Override|Default)\s[^>]*>/g)].some(([tag]) => {
    const type = /\sContentType\s*=\s*["']([^"']*)/.exec(tag)?.[1];
    if (type === undefined || !types.includes(type)) return false;
    const part = /\sPartName\s*=\s*["']\/?([^"']*)/.exec(tag)?.[1];
    return part === undefined || entries.has(part.toLowerCase());
  });
}

async function countInflated(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  limits: ZipLimits,
): Promise<{ ok: Map<string, number> } | FileRefusal> {
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
    if (size === 'damaged') return zipRefusals.damaged;
    if (size === 'too large') return zipRefusals.tooLarge;
    total += size;
    sizes.set(name, size);
  }
  return { ok: sizes };
}

async function inflatedSize(zip: ZipFile, entry: Entry, most: number): Promise<number | 'damaged' | 'too large'> {
  let size = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    // Returning destroys the stream, so inflating stops at the limit.
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
    names: [...entries.values()].map(nameOf).filter((name) => !name.endsWith('/')),
    stream,
    read: async (name) => {
      const bytes = await stream(name);
      return bytes && buffer(bytes);
    },
    close,
  };
}
