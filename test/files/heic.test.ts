import { expect, test } from 'vitest';
import { readHeic } from '#server/platform/files/heic.ts';
import { heicPhoto, largeHeicPhoto } from '../support/heic.ts';
import { asFile } from './samples.ts';

/** Says in the header that the picture is `side` pixels wide and high. */
function saying(side: number): Buffer<ArrayBuffer> {
  const bytes = heicPhoto();
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 4)) {
    bytes.writeUInt32BE(side, at + 8);
    bytes.writeUInt32BE(side, at + 12);
  }
  return bytes;
}

const tooLarge = { refused: 422, message: '这张HEIC照片超过5000万像素，请在手机上转为JPEG后再上传' };
const pathOf = async (bytes: Uint8Array) => (await asFile('IMG.HEIC', bytes)).path;

test('a HEIC photograph is decoded upright', async () => {
  const read = await readHeic(await pathOf(heicPhoto()));
  expect(read).toMatchObject({ ok: { width: 48, height: 64 } });
});

test('a HEIC photograph of more than 50 million pixels is refused before it is decoded', async () => {
  expect(await readHeic(await pathOf(saying(7_072)))).toEqual(tooLarge);
  expect(await readHeic(await pathOf(saying(7_000)))).toMatchObject({ message: '图片已损坏，无法打开' });
});

test('the memory of the HEIC decoder is limited', async () => {
  const path = await pathOf(largeHeicPhoto());
  expect(await readHeic(path, { maxPixels: 50_000_000, maxBytes: 60_000_000 })).toEqual(tooLarge);
  // The next picture is read all the same. Many pixels are averaged, so that little is sent between threads.
  const read = await readHeic(path);
  expect(read).toMatchObject({ ok: { width: 2048, height: 2048 } });
  const { pixels } = 'ok' in read ? read.ok : { pixels: [] };
  expect(pixels.length).toBe(2048 * 2048 * 3);
  for (const [place, colour] of [0x33, 0x66, 0xcc].entries())
    expect(Math.abs((pixels[3_000_000 + place] ?? 0) - colour)).toBeLessThan(6);
});
