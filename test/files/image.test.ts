import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeAvatar, inspectPicture, tidyPicture } from '#server/platform/files/image.ts';
import { pngHead } from './samples.ts';

/** Red left, blue right, stored on its side with camera metadata, as a phone does. */
async function phonePhoto(): Promise<Buffer> {
  const half = (background: string) => ({ create: { width: 200, height: 300, channels: 3 as const, background } });
  const blue = await sharp(half('#0000ff')).png().toBuffer();
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 200, top: 0 }])
    .withExif({ IFD0: { Make: 'Phone', Orientation: '6' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

async function colourAt(picture: Uint8Array, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  const [red = 0, , blue = 0] = data.subarray(at, at + 3);
  return red > blue ? 'red' : 'blue';
}

function bytesOf(result: Awaited<ReturnType<typeof encodeAvatar>>): Uint8Array {
  if (!('ok' in result)) throw new Error(JSON.stringify(result));
  return result.ok;
}

test('the reported size is that of the upright picture', async () => {
  expect(await inspectPicture(await phonePhoto())).toEqual({
    ok: { format: 'jpeg', width: 300, height: 400, turned: true },
  });
});

test('an avatar is square, upright and without camera metadata', async () => {
  const picture = bytesOf(await encodeAvatar(await phonePhoto(), 128));
  const found = await sharp(picture).metadata();
  expect(found).toMatchObject({ format: 'webp', width: 128, height: 128 });
  expect(found.exif).toBeUndefined();
  // Turned by a quarter clockwise, left is on top.
  expect(await colourAt(picture, 64, 10)).toBe('red');
  expect(await colourAt(picture, 64, 118)).toBe('blue');
});

test('a photo is shrunk, turned upright, stripped of metadata, and keeps its format', async () => {
  const picture = bytesOf(await tidyPicture(await phonePhoto(), { longer: 200 }));
  const found = await sharp(picture).metadata();
  expect(found).toMatchObject({ format: 'jpeg', width: 150, height: 200 });
  expect(found.exif).toBeUndefined();
  expect(found.orientation).toBeUndefined();
});

test('files that are no picture, broken or too large are refused', async () => {
  const photo = await phonePhoto();
  expect(await tidyPicture(photo.subarray(0, photo.length / 2))).toMatchObject({ refused: 422 });
  expect(
    await encodeAvatar(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  ).toMatchObject({
    refused: 415,
  });
  expect(await encodeAvatar(Buffer.from('<html>'))).toMatchObject({ refused: 422 });
  expect(await encodeAvatar(pngHead(30_000, 30_000))).toMatchObject({
    refused: 422,
    message: expect.stringContaining('尺寸过大'),
  });
});
