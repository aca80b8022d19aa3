import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Pixels of a picture as its file has them. It is waited for: a page may be there before its pictures, and those further
 * down come when they are scrolled to.
 */
export async function sizeOf(picture: Locator): Promise<{ width: number; height: number }> {
  await picture.scrollIntoViewIfNeeded();
  const size = () =>
    picture.evaluate((image: HTMLImageElement) => ({ width: image.naturalWidth, height: image.naturalHeight }));
  await expect.poll(async () => (await size()).width).toBeGreaterThan(0);
  return size();
}
