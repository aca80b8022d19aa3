import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { coursewareExtensions } from '#server/courseware/rules.ts';
import { acceptFile, acceptPicture } from '#server/platform/files/accept.ts';
import { mediaBytes } from '#server/platform/files/rules.ts';
import {
  asFile,
  compound,
  openXml,
  pdfWithStream,
  pdfWithTable,
  pngHead,
  presentationUser,
  withPassword,
  wordStream,
  zipOf,
} from './samples.ts';

async function accept(name: string, bytes: Uint8Array, kind: keyof typeof coursewareExtensions = 1) {
  return acceptFile(await asFile(name, bytes), coursewareExtensions[kind]);
}

const mismatch = { refused: 415, message: '文件内容与扩展名不符，请检查后重新上传' };
const wordTypes =
  '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const pixel = (format: 'png' | 'jpeg' | 'gif' | 'webp') =>
  sharp({ create: { width: 4, height: 3, channels: 3, background: '#c00' } })
    .toFormat(format)
    .toBuffer();
const executable = Buffer.concat([Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'), Buffer.alloc(4096)]);
const html = Buffer.from('<!doctype html><script>alert(1)</script>');
const presentation = { 'PowerPoint Document': Buffer.alloc(5000), 'Current User': presentationUser() };

describe('the content behind a file extension', () => {
  test.each([
    ['讲义.docx', () => openXml('wordprocessingml.document'), 1],
    ['讲义.PPTX', () => openXml('presentationml.presentation'), 2],
    ['讲义.doc', async () => compound({ WordDocument: wordStream() }), 1],
    ['短.doc', async () => compound({ WordDocument: wordStream({ size: 600 }) }), 1],
    ['讲义.ppt', async () => compound(presentation), 'local'],
    ['讲义.pdf', async () => pdfWithTable(''), 1],
    ['讲义.pdf', async () => pdfWithStream('/Root 1 0 R'), 1],
    ['图.png', () => pixel('png'), 1],
    ['图.jpg', () => pixel('jpeg'), 1],
    ['图.gif', () => pixel('gif'), 'local'],
    ['动画.zip', () => zipOf({ 'index.html': '<p>', 'sound/a.mp3': 'ID3' }), 2],
  ] as [string, () => Promise<Uint8Array>, keyof typeof coursewareExtensions][])(
    '%s is accepted',
    async (name, bytes, kind) => {
      const extension = name.split('.').at(-1)?.toLowerCase();
      expect(await accept(name, await bytes(), kind)).toMatchObject({ ok: { extension } });
    },
  );

  test('a .jpeg file is kept as jpg, with its content type', async () => {
    expect(await accept('图.jpeg', await pixel('jpeg'))).toEqual({
      ok: { extension: 'jpg', contentType: 'image/jpeg' },
    });
  });

  test.each([
    ['renamed.docx', async () => executable],
    ['renamed.doc', async () => executable],
    ['renamed.pdf', async () => executable],
    ['page.png', async () => html],
    ['page.pdf', async () => html],
    ['drawing.png', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['jpeg.png', () => pixel('jpeg')],
    ['archive.docx', () => zipOf({ 'a.txt': 'a' })],
    ['slides.docx', () => openXml('presentationml.presentation')],
    ['word.ppt', async () => compound({ WordDocument: wordStream() })],
    ['new.doc', () => openXml('wordprocessingml.document')],
    ['book.doc', async () => compound({ Workbook: Buffer.alloc(5000) })],
    ['junk.pdf', async () => Buffer.concat([html, pdfWithTable('')])],
  ] as [string, () => Promise<Uint8Array>][])('%s is refused for its content', async (name, bytes) => {
    expect(await accept(name, await bytes())).toEqual(mismatch);
  });

  test('an old Office document under a new extension is refused with its own message', async () => {
    expect(await accept('old.docx', compound({ WordDocument: wordStream() }))).toEqual({
      refused: 415,
      message: '这是旧版 Office 文件（.doc、.xls、.ppt），请另存为 .docx、.xlsx、.pptx 后再上传',
    });
  });

  test('an executable or HTML under a media or archive extension is refused', async () => {
    expect(await accept('a.mp4', executable, 3)).toEqual(mismatch);
    expect(await accept('a.zip', executable, 2)).toEqual(mismatch);
    expect(await accept('a.mp3', html, 'local')).toEqual(mismatch);
    expect(await accept('a.h264', executable, 3)).toEqual(mismatch);
  });
});

describe('file extensions', () => {
  test.each([
    ['a.mp4', 1],
    ['a.zip', 1],
    ['a.pdf', 2],
    ['a.pdf', 3],
    ['a.svg', 1],
    ['a.html', 'local'],
    ['a.exe', 'local'],
    ['a.wav', 'local'],
    ['a.docm', 1],
    ['noending', 1],
  ] as [string, keyof typeof coursewareExtensions][])('%s is refused as courseware %s', async (name, kind) => {
    expect(await accept(name, Buffer.from('x'), kind)).toMatchObject({ refused: 415 });
  });

  test('the refusal names the formats; WPS files and zipped media have messages of their own', async () => {
    expect(await accept('a.rtf', html, 2)).toEqual({
      refused: 415,
      message: '不支持的文件格式，请上传 ppt、pptx、zip 格式的文件',
    });
    expect(await accept('a.wps', html)).toEqual({ refused: 415, message: 'WPS 文档请转换为 PDF 后再上传' });
    const zipped = { refused: 415, message: '音视频文件不能压缩，请直接上传音视频文件' };
    expect(await accept('a.zip', await zipOf({ 'a.mp4': 'x' }), 3)).toEqual(zipped);
    expect(await accept('a.zip', await zipOf({ 'a.mp4': 'x', 'b/c.MP3': 'y' }), 2)).toEqual(zipped);
  });

  test('.xlsx is accepted only where the caller allows it', async () => {
    const workbook = await asFile('题库.xlsx', await openXml('spreadsheetml.sheet'));
    expect(await acceptFile(workbook, ['xlsx'])).toMatchObject({ ok: { extension: 'xlsx' } });
    expect(await acceptFile(workbook, ['docx'])).toMatchObject({ refused: 415 });
  });
});

describe('files with a password', () => {
  const office = { refused: 422, message: 'Office 文件设有密码，请取消密码后再上传' };
  const pdf = { refused: 422, message: 'PDF 文件设有密码，请取消密码后再上传' };

  test.each([
    ['锁.docx', { EncryptionInfo: Buffer.alloc(200), EncryptedPackage: Buffer.alloc(5000) }],
    ['锁.pptx', { EncryptionInfo: Buffer.alloc(200), EncryptedPackage: Buffer.alloc(5000) }],
    ['锁.doc', { WordDocument: wordStream({ encrypted: true }) }],
    ['短锁.doc', { WordDocument: wordStream({ encrypted: true, size: 600 }) }],
    ['锁.ppt', { ...presentation, 'Current User': presentationUser({ encrypted: true }) }],
    ['锁.ppt', { ...presentation, EncryptedSummary: Buffer.alloc(200) }],
  ])('%s with a password is refused', async (name, streams) => {
    expect(await accept(name, compound(streams))).toEqual(office);
  });

  test.each([
    ['in the trailer', pdfWithTable('/Encrypt 5 0 R')],
    ['written out in the trailer', pdfWithTable('/Encrypt<</Filter/Standard>>')],
    ['with an escaped name', pdfWithTable('/Encr#79pt 5 0 R')],
    ['in a cross-reference stream', pdfWithStream('/Encrypt 5 0 R')],
    ['in a file whose end is missing', pdfWithStream('/Encrypt 5 0 R').subarray(0, -24)],
  ])('a PDF with /Encrypt %s is refused', async (_, bytes) => {
    expect(await accept('锁.pdf', bytes)).toEqual(pdf);
  });

  test('a PDF that only mentions /Encrypt is accepted', async () => {
    expect(await accept('a.pdf', pdfWithTable('/Info (/Encrypt 5 0 R)'))).toMatchObject({ ok: {} });
    expect(await accept('a.pdf', pdfWithTable('/Info (\\) /Encrypt 5 0 R)'))).toMatchObject({ ok: {} });
    expect(await accept('a.pdf', pdfWithTable('% /Encrypt 5 0 R\n'))).toMatchObject({ ok: {} });
    expect(await accept('a.pdf', pdfWithTable('/EncryptMetadata true'))).toMatchObject({ ok: {} });
  });

  test('an archive with an encrypted file is refused', async () => {
    const bytes = withPassword(await zipOf({ 'index.html': '<p>', 'b.js': '1' }));
    expect(await accept('锁.zip', bytes, 2)).toEqual({ refused: 422, message: '压缩包设有密码，请取消密码后再上传' });
  });
});

describe('damaged and oversized files', () => {
  const damaged = { refused: 422, message: '文件已损坏，无法打开' };

  test('cut files are refused, and hostile ones do not hang the check', async () => {
    const word = await openXml('wordprocessingml.document');
    expect(await accept('a.docx', word.subarray(0, word.length - 30))).toEqual(damaged);
    expect(await accept('a.doc', compound({ WordDocument: wordStream() }).subarray(0, 512))).toEqual(damaged);
    expect(await accept('a.pdf', Buffer.alloc(0))).toMatchObject({ refused: 422 });
    const looping = compound({ WordDocument: wordStream() });
    // Every sector names itself as its next one, so a naive reader never ends.
    const table = (looping.readUInt32LE(76) + 1) * 512;
    for (let sector = 0; sector < 128; sector += 1) looping.writeUInt32LE(sector, table + sector * 4);
    looping.writeUInt32LE(0, 68);
    await accept('a.doc', looping);
    const leading = await zipOf({ 'aa/bb/evil.html': '<p>' });
    const escaping = Buffer.from(leading.toString('latin1').replaceAll('aa/bb/', '../../'), 'latin1');
    expect(await accept('a.zip', escaping, 2)).toEqual({ refused: 422, message: '文件内含不安全的路径，已拒绝' });
  });

  test('an archive that unpacks to too much is refused', async () => {
    const bomb = { refused: 422, message: '文件解压后过大，已拒绝' };
    const blank = Buffer.alloc(40 * 2 ** 20);
    expect(await accept('a.zip', await zipOf({ 'index.html': '<p>', 'a.bin': blank }), 2)).toEqual(bomb);
    const word = { '[Content_Types].xml': wordTypes, 'word/document.xml': '<document/>', 'word/media/a.bin': blank };
    expect(await accept('a.docx', await zipOf(word))).toEqual(bomb);
  });

  test('media of up to 100 MB are accepted', async () => {
    const sizes = [mediaBytes, mediaBytes + 1];
    const mp4 = await asFile('a.mp4', Buffer.from('0000001866747970697336d6d703432', 'hex'));
    const [fits, large] = await Promise.all(sizes.map((size) => acceptFile({ ...mp4, size }, coursewareExtensions[3])));
    expect(fits).not.toMatchObject({ refused: 413 });
    expect(large).toEqual({ refused: 413, message: '音视频文件不能超过 100 MB' });
  });
});

describe('the content of media', () => {
  const box = (brand: string) =>
    Buffer.concat([Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mp42isom`, 'latin1'), Buffer.alloc(64)]);
  // Header object with one stream properties object ([ASF] 3.1 and 3.3).
  const asf = Buffer.concat([
    Buffer.from('3026b2758e66cf11a6d900aa0062ce6c6c000000000000000100000001020000', 'hex').subarray(0, 30),
    Buffer.from('9107dcb7b7a9cf118ee600c00c2053654e00000000000000c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex'),
    Buffer.alloc(4096),
  ]);
  const matroska = (type: string) =>
    Buffer.concat([
      Buffer.from('1a45dfa3', 'hex'),
      Buffer.from([0x80 + 3 + type.length, 0x42, 0x82, 0x80 + type.length]),
      Buffer.from(type),
      Buffer.alloc(64),
    ]);
  const riff = (type: string) =>
    Buffer.concat([Buffer.from(`RIFF\x24\x00\x00\x00${type}`, 'latin1'), Buffer.alloc(64)]);

  test.each([
    ['a.mp4', box('mp42')],
    ['a.mov', box('qt  ')],
    ['a.m4a', box('M4A ')],
    ['a.3gp', box('3gp4')],
    ['a.webm', matroska('webm')],
    ['a.wav', riff('WAVE')],
    ['a.avi', riff('AVI ')],
    ['a.wmv', asf],
    ['a.wma', asf],
    ['a.flv', Buffer.from('464c5601050000000900000000', 'hex')],
    ['a.rmvb', Buffer.concat([Buffer.from('.RMF\0\0\0\x12\0'), Buffer.alloc(64)])],
    ['a.flac', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(64)])],
    ['a.mpg', Buffer.concat([Buffer.from('000001ba21', 'hex'), Buffer.alloc(64)])],
    ['a.h264', Buffer.concat([Buffer.from('0000000167640028', 'hex'), Buffer.alloc(64)])],
    ['a.ogg', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('\x01vorbis'), Buffer.alloc(64)])],
    ['a.opus', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(64)])],
    [
      'a.mp3',
      Buffer.concat([
        Buffer.from('fffb9064', 'hex'),
        Buffer.alloc(413),
        Buffer.from('fffb9064', 'hex'),
        Buffer.alloc(413),
      ]),
    ],
    ['a.aac', Buffer.concat([Buffer.from('fff15080', 'hex'), Buffer.alloc(64)])],
  ])('%s is accepted', async (name, bytes) => {
    expect(await accept(name, bytes, 3)).toMatchObject({ ok: { extension: name.slice(2) } });
  });

  test.each([
    ['a.mp4', riff('AVI ')],
    ['a.webm', matroska('matroska')],
    ['a.mp3', riff('WAVE')],
    ['a.wav', box('mp42')],
  ])('%s with the content of another format is refused', async (name, bytes) => {
    expect(await accept(name, bytes, 3)).toEqual(mismatch);
  });
});

describe('uploaded pictures', () => {
  test('a picture of 30000×30000 is refused before it is decoded', async () => {
    const result = await acceptPicture(await asFile('大.png', pngHead(30_000, 30_000)));
    expect(result).toEqual({ refused: 422, message: '图片尺寸过大，请缩小到 8000×8000 像素以内' });
  });

  test('webp is accepted; SVG, HTML and PDF are not', async () => {
    expect(await acceptPicture(await asFile('a.webp', await pixel('webp')))).toMatchObject({
      ok: { extension: 'webp' },
    });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    for (const name of ['a.svg', 'a.html', 'a.pdf']) {
      expect(await acceptPicture(await asFile(name, svg))).toMatchObject({ refused: 415 });
    }
    expect(await acceptPicture(await asFile('a.png', svg))).toEqual(mismatch);
  });
});
