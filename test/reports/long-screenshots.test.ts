/** Long screenshots stay legible: q2a-markdown-editor #26, question2answer #897. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { tidyPicture } from '#server/platform/files/image.ts';
import { postedPictureSize } from '#server/platform/files/rules.ts';

it.each([
  [
    [1080, 8000],
    [900, 6667],
  ],
  [
    [200, 9000],
    [200, 9000],
  ],
  [
    [9000, 60],
    [9000, 60],
  ],
  [
    [4000, 3000],
    [1600, 1200],
  ],
  [
    [3000, 4000],
    [1200, 1600],
  ],
  [
    [800, 600],
    [800, 600],
  ],
])('a picture of %j is shrunk to %j', async ([width = 0, height = 0], expected) => {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#ccc' } })
    .png()
    .toBuffer();
  const tidied = await tidyPicture(bytes, postedPictureSize);
  if (!('ok' in tidied)) throw new Error('refused');
  const found = await sharp(tidied.ok).metadata();
  expect([found.width, found.height]).toEqual(expected);
});
