import type { Size } from './markup-view.ts';

export interface LoadedImage {
  element: HTMLImageElement;
  /** Size in pixels, upright: the browser has already applied the EXIF orientation. */
  size: Size;
}

/**
 * Loads an image. Returns null if it is missing, unreadable or from an origin without CORS, whose canvas could not be
 * exported. Uses an <img>, which applies the EXIF orientation from Chrome 81 on; createImageBitmap names that option
 * differently before and after Chrome 112.
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

/** Adds the time as query `t` to a URL. data: and blob: URLs have no query and stay as they are. */
export function withTimestamp(url: string, now: number): string {
  if (/^(data|blob):/i.test(url)) return url;
  const [address = '', fragment] = url.split('#', 2);
  const stamped = `${address}${address.includes('?') ? '&' : '?'}t=${now}`;
  return fragment === undefined ? stamped : `${stamped}#${fragment}`;
}
