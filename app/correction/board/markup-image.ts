// Brings an image of an answer onto the board.
import type { Size } from './markup-view.ts';

export interface LoadedImage {
  element: HTMLImageElement;
  /** In pixels, upright: the browser has applied the camera's orientation (EXIF). */
  size: Size;
}

/**
 * Loads an image, or null when it is missing, unreadable or may not be read back (another origin that does not allow
 * it: a picture of it could not be saved). An <img> is drawn the way the camera was held in every browser from Chrome
 * 81 on; createImageBitmap names that option differently before and after Chrome 112.
 */
export async function loadImage(url: string, now: number): Promise<LoadedImage | null> {
  const element = new Image();
  element.crossOrigin = 'anonymous';
  element.src = withTimestamp(url, now);
  try {
    await element.decode();
  } catch {
    return null;
  }
  const size = { width: element.naturalWidth, height: element.naturalHeight };
  return size.width > 0 && size.height > 0 ? { element, size } : null;
}

/** The address with a timestamp query; data: and blob: addresses have no query. */
export function withTimestamp(url: string, now: number): string {
  if (/^(data|blob):/i.test(url)) return url;
  const [address = '', fragment] = url.split('#', 2);
  const stamped = `${address}${address.includes('?') ? '&' : '?'}t=${now}`;
  return fragment === undefined ? stamped : `${stamped}#${fragment}`;
}
