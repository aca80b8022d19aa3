import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Returns the natural size of a picture in pixels. Scrolls to it and waits until it is loaded, since images load
 * lazily.
 */
export async function sizeOf(picture: Locator): Promise<{ width: number; height: number }> {
  await picture.scrollIntoViewIfNeeded();
  const size = () =>
    picture.evaluate((image: HTMLImageElement) => ({ width: image.naturalWidth, height: image.naturalHeight }));
  await expect.poll(async () => (await size()).width).toBeGreaterThan(0);
  return size();
}
