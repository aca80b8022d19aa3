import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { openZip, parsedZipLimits, type ZipKind, zipRefusals } from '#server/platform/files/zip.ts';
import { compoundFile, excelFile, paragraphs, row, wordFile } from '../support/office-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'zip-'));
afterAll(() => rmSync(folder, { recursive: true }));

const word = wordFile({ body: paragraphs('你好') });
const excel = excelFile({ sheets: { 单选题: row(1, ['题干']) } });

async function refusal(bytes: Uint8Array, kind: ZipKind = 'docx', limits = parsedZipLimits) {
  const opened = await openZip(bytes, kind, limits);
  if ('refused' in opened) return opened;
  await opened.ok.close();
  return undefined;
}

interface RawEntry {
  name: string;
  data: Uint8Array;
  /** Sizes claimed by the headers. */
  size?: number;
  flags?: number;
  /** Offset claimed by the central directory; default: the real one. */
  at?: number;
}

/** Builds a zip whose headers may be wrong. */
function rawZip(entries: RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, size, flags = 0, at } of entries) {
    const packed = deflateRawSync(data);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(flags, 6);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(size ?? data.length, 22);
    header.writeUInt16LE(nameBytes.length, 26);
    const directory = Buffer.alloc(46);
    directory.writeUInt32LE(0x02014b50, 0);
    directory.writeUInt16LE(flags, 8);
    directory.writeUInt16LE(8, 10);
    directory.writeUInt32LE(packed.length, 20);
    directory.writeUInt32LE(size ?? data.length, 24);
    directory.writeUInt16LE(nameBytes.length, 28);
    directory.writeUInt32LE(at ?? offset, 42);
    locals.push(header, nameBytes, packed);
    central.push(directory, nameBytes);
    offset += 30 + nameBytes.length + packed.length;
  }
  const directorySize = central.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...central, end]);
}

/** The content types part, naming one part. */
const typesOf = (part: string, type: string) => ({
  name: '[Content_Types].xml',
  data: Buffer.from(
    `<Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  ),
});
const types = typesOf('word/document.xml', 'wordprocessingml.document');
const document = { name: 'word/document.xml', data: Buffer.from('<document/>') };

describe('opening a zip', () => {
  test('reads the parts of a document, from bytes or a path, ignoring case', async () => {
    const path = join(folder, 'a.docx');
    writeFileSync(path, word);
    for (const source of [word, path]) {
      const opened = await openZip(source, 'docx');
      if ('refused' in opened) throw new Error(opened.message);
      const text = (await opened.ok.read('Word/Document.xml'))?.toString() ?? '';
      expect(text).toContain('你好');
      expect(opened.ok.sizes.get('word/document.xml')).toBe(Buffer.byteLength(text));
      expect(await opened.ok.read('word/nothing.xml')).toBeUndefined();
      await opened.ok.close();
    }
  });

  test('accepts a workbook, a presentation, any zip, and folders separated by backslashes', async () => {
    expect(await refusal(excel, 'xlsx')).toBeUndefined();
    const slides = typesOf('ppt/presentation.xml', 'presentationml.presentation');
    expect(await refusal(rawZip([slides, { ...document, name: 'ppt/presentation.xml' }]), 'pptx')).toBeUndefined();
    expect(await refusal(rawZip([{ ...document, name: 'index.html' }]), 'zip')).toBeUndefined();
    expect(await refusal(rawZip([types, { ...document, name: 'word\\document.xml' }]))).toBeUndefined();
  });

  test('accepts a small part with a high compression ratio', async () => {
    expect(await refusal(rawZip([types, { ...document, data: Buffer.alloc(2 ** 20, 'a') }]))).toBeUndefined();
  });
});

describe('a file of another kind than its extension', () => {
  test.each([
    ['nothing', new Uint8Array(), zipRefusals.empty],
    ['a program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5_000, 1)]), zipRefusals.mismatch],
    ['a program with a document after it', Buffer.concat([Buffer.from('MZ'), word]), zipRefusals.mismatch],
    ['a web page', Buffer.from('<html></html>'), zipRefusals.mismatch],
    ['a workbook called .docx', excel, zipRefusals.mismatch],
    ['a zip without types', rawZip([document]), zipRefusals.mismatch],
    ['a zip without a document', rawZip([types]), zipRefusals.mismatch],
    [
      'a document with macros called .docx',
      rawZip([
        {
          ...types,
          data: Buffer.from(
            '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>',
          ),
        },
        document,
      ]),
      zipRefusals.macros,
    ],
    [
      'a document of an unknown type',
      rawZip([typesOf('word/document.xml', 'wordprocessingml.unknown'), document]),
      zipRefusals.mismatch,
    ],
    ['half a document', word.subarray(0, word.length / 2), zipRefusals.damaged],
  ])('is refused if it is %s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toBe(message);
  });

  test('is refused if it is a binary workbook', async () => {
    const bytes = rawZip([types, { ...document, name: 'xl/workbook.bin' }]);
    expect(await refusal(bytes, 'xlsx')).toBe(zipRefusals.binaryWorkbook);
  });

  test('is refused with its own message if it is an old or encrypted Office file', async () => {
    expect(await refusal(compoundFile(['EncryptionInfo', 'EncryptedPackage']))).toBe(zipRefusals.passwordOffice);
    expect(await refusal(compoundFile(['WordDocument', '1Table']))).toBe(zipRefusals.oldOffice);
    expect(await refusal(compoundFile(['Workbook']), 'xlsx')).toBe(zipRefusals.oldOffice);
    expect(await refusal(compoundFile(['something']))).toBe(zipRefusals.mismatch);
    expect(await refusal(compoundFile([]).subarray(0, 700))).toBe(zipRefusals.mismatch);
  });

  test('is refused if it is a compound file with a circular directory', async () => {
    const circle = Buffer.from(compoundFile(['a']));
    circle.writeUInt32LE(1, 512 + 4);
    expect(await refusal(circle)).toBe(zipRefusals.mismatch);
  });
});

describe('hostile zips', () => {
  test.each(['../../etc/passwd', 'word/../../x', '/etc/passwd', '..\\..\\x', 'C:\\x', 'a\0b'])(
    'are refused for the path %j',
    async (name) => {
      expect(await refusal(rawZip([types, document, { name, data: Buffer.from('x') }]))).toBe(zipRefusals.unsafePath);
    },
  );

  test('are refused for encrypted entries', async () => {
    expect(await refusal(rawZip([types, { ...document, flags: 1 }]))).toBe(zipRefusals.passwordOffice);
    expect(await refusal(rawZip([types, { ...document, flags: 0x41 }]), 'zip')).toBe(zipRefusals.passwordZip);
  });

  test('are refused for a sheet of 300 MB, whatever size it claims', async () => {
    const data = Buffer.alloc(300 * 2 ** 20, ' ');
    const sheet = { name: 'xl/worksheets/sheet1.xml', data };
    const workbook = { ...document, name: 'xl/workbook.xml' };
    const types = typesOf('xl/workbook.xml', 'spreadsheetml.sheet');
    for (const size of [undefined, 1_000]) {
      const bytes = rawZip([types, workbook, { ...sheet, size }]);
      expect(bytes.length).toBeLessThan(400_000);
      const before = process.memoryUsage().rss;
      const started = performance.now();
      expect([zipRefusals.tooLarge, zipRefusals.damaged]).toContain(await refusal(bytes, 'xlsx'));
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
    }
  });

  test('are refused for a too large XML part with a low compression ratio', async () => {
    const limits = { ...parsedZipLimits, xmlBytes: 1_000 };
    const data = Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 251));
    expect(await refusal(rawZip([types, { ...document, data }]), 'docx', limits)).toBe(zipRefusals.tooLarge);
    expect(await refusal(rawZip([types, document, { name: 'a.bin', data }]), 'docx', limits)).toBeUndefined();
  });

  test('are refused for too many entries or too many bytes in total', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`word/${i}.bin`, new Uint8Array(100)]));
    const bytes = zipSync({ [types.name]: types.data, 'word/document.xml': strToU8('<a/>'), ...many });
    expect(await refusal(bytes, 'docx', { ...parsedZipLimits, entries: 40 })).toBe(zipRefusals.tooLarge);
    expect(await refusal(bytes, 'docx', { ...parsedZipLimits, totalBytes: 4_000 })).toBe(zipRefusals.tooLarge);
    expect(await refusal(bytes)).toBeUndefined();
  });

  test('are refused for entries that share their bytes or their name', async () => {
    const kernel = Buffer.alloc(10_000, 'x');
    const entries = [types, document, { name: 'a', data: kernel }, { name: 'b', data: kernel }];
    const at =
      30 +
      types.name.length +
      deflateRawSync(types.data).length +
      30 +
      document.name.length +
      deflateRawSync(document.data).length;
    expect(await refusal(rawZip(entries))).toBeUndefined();
    expect(await refusal(rawZip(entries.map((entry) => (entry.name === 'b' ? { ...entry, at } : entry))))).toBe(
      zipRefusals.tooLarge,
    );
    expect(await refusal(rawZip([types, document, { ...document, name: 'WORD/document.xml' }]))).toBe(
      zipRefusals.twice,
    );
  });

  test('are refused for damaged data', async () => {
    const bytes = Buffer.from(rawZip([types, { ...document, data: Buffer.alloc(5_000, 'abc') }]));
    bytes.fill(0xff, 30 + types.name.length + 20, bytes.length - 180);
    expect([zipRefusals.damaged, zipRefusals.mismatch]).toContain(await refusal(bytes));
  });
});
