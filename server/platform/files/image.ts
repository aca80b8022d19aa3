/**
 * Processes images with sharp. The header is read first, so that a picture of 30000×30000 pixels is refused before it
 * is decoded.
 */
import type { Metadata, Sharp } from 'sharp';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { fitPicture, notAPictureMessage, type PictureSize } from './rules.ts';

/** Maximum pixels of a picture: 8000×8000, which is 256 MB when decoded. */
export const maxPixels = 64_000_000;

const formats: readonly string[] = ['jpeg', 'png', 'gif', 'webp'];

type SharpLibrary = typeof import('sharp').default;

let loaded: Promise<SharpLibrary> | undefined;

/** Loaded lazily: its libraries are large. */
function loadSharp(): Promise<SharpLibrary> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Without cache and with one thread per picture, because pictures are rare and servers small.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loaded;
}

type Source = string | Uint8Array;

export interface Picture {
  format: 'jpeg' | 'png' | 'gif' | 'webp';
  /** Width and height in pixels, after rotation by the EXIF orientation. */
  width: number;
  height: number;
  /** True if the picture is upright only by its EXIF orientation. */
  turned: boolean;
}

async function open(source: Source, animated = false): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(source, { limitInputPixels: maxPixels, failOn: 'error', animated });
}

/** sharp renders a pixel of a drawing as one pixel at a density of 72. */
const drawingDensity = 144;

interface PngOptions {
  /** True for a vector drawing: it is rendered on white, with two pixels per pixel of its size. */
  isDrawing?: boolean;
  /** Cut sides, as parts of the width and height. */
  crop?: { left: number; top: number; right: number; bottom: number };
}

/** Converts a picture to PNG, also one of a format that is not accepted, such as SVG; undefined if it is damaged. */
export async function pngOf(source: Uint8Array, { isDrawing, crop }: PngOptions = {}): Promise<Buffer | undefined> {
  try {
    const sharp = await loadSharp();
    const picture = sharp(source, { limitInputPixels: maxPixels, ...(isDrawing ? { density: drawingDensity } : {}) });
    if (crop) {
      const { width, height } = await picture.metadata();
      const [left, top] = [Math.round(width * crop.left), Math.round(height * crop.top)];
      picture.extract({
        left,
        top,
        width: Math.max(Math.round(width * (1 - crop.right)) - left, 1),
        height: Math.max(Math.round(height * (1 - crop.bottom)) - top, 1),
      });
    }
    if (isDrawing) picture.flatten({ background: 'white' });
    return await picture.png().toBuffer();
  } catch {
    return undefined;
  }
}

export const damagedPicture: FileRefusal = { refused: 422, message: '图片已损坏，无法打开' };
const tooLarge: FileRefusal = { refused: 422, message: '图片尺寸过大，请缩小到 8000×8000 像素以内' };

function refusalOf(error: unknown): FileRefusal {
  return String((error as Error).message).includes('pixel limit') ? tooLarge : damagedPicture;
}

/**
 * Reads the header of a picture. 415: not an accepted picture format (SVG, HTML, TIFF, …). 422: too large or damaged.
 */
export async function inspectPicture(source: Source): Promise<{ ok: Picture } | FileRefusal> {
  let found: Metadata;
  try {
    found = await (await open(source)).metadata();
  } catch (error) {
    return refusalOf(error);
  }
  if (!formats.includes(found.format)) return { refused: 415, message: notAPictureMessage };
  if (found.width * found.height > maxPixels) return tooLarge;
  const { width, height } = found.autoOrient;
  const turned = (found.orientation ?? 1) > 1;
  return { ok: { format: found.format as Picture['format'], width, height, turned } };
}

async function encodePicture(picture: Sharp): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  try {
    return { ok: new Uint8Array(await picture.toBuffer()) };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Returns a square WebP of `side` pixels, upright, without EXIF data. */
export async function encodeAvatar(source: Source, side = 256): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const inspected = await inspectPicture(source);
  if (!('ok' in inspected)) return inspected;
  return encodePicture(
    (await open(source)).autoOrient().resize(side, side, { fit: 'cover', position: 'attention' }).webp({ quality: 82 }),
  );
}

/**
 * Returns the picture upright, scaled down to `size`, without EXIF data. A GIF keeps its animation, and every format
 * stays, so extension and content type remain valid.
 */
export async function tidyPicture(
  source: Source,
  size: PictureSize = { longer: 2000 },
): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const inspected = await inspectPicture(source);
  if (!('ok' in inspected)) return inspected;
  const { format, width, height } = inspected.ok;
  const side = fitPicture(width, height, size);
  const picture = (await open(source, format === 'gif' || format === 'webp'))
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true });
  return encodePicture(format === 'jpeg' ? picture.jpeg({ quality: 85, mozjpeg: true }) : picture.toFormat(format));
}

/** Encodes raw RGB pixels as a JPEG, scaled down to `size`. */
export async function jpegOfPixels(
  { width, height, pixels }: { width: number; height: number; pixels: Uint8Array },
  size: PictureSize,
): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const sharp = await loadSharp();
  const side = fitPicture(width, height, size);
  const picture = sharp(pixels, { raw: { width, height, channels: 3 }, limitInputPixels: maxPixels });
  return encodePicture(
    picture.resize(side, side, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality: 85, mozjpeg: true }),
  );
}

/**
 * Converts a logo to a PNG with a palette, sized for the page header on a high-density screen. Accepts SVG, because
 * only the operator of the server sets the logo.
 */
export async function encodeLogo(source: Source): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const picture = (await open(source)).autoOrient();
  return encodePicture(picture.resize({ width: 400, height: 64, fit: 'inside' }).png({ palette: true }));
}
