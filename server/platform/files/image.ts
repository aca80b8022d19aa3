/**
 * Pictures by sharp. A picture states its size in its first bytes; one of 30000×30000 is refused there, before a pixel
 * of it is unpacked.
 */
import type { Metadata, Sharp } from 'sharp';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { notAPicture } from './rules.ts';

/** 64 million: a photo of 8000×8000, which takes 256 MB once unpacked. */
export const maxPixels = 64_000_000;

const formats: readonly string[] = ['jpeg', 'png', 'gif', 'webp'];

type SharpLibrary = typeof import('sharp').default;

let loaded: Promise<SharpLibrary> | undefined;

/** Loaded with the first picture: a process that sees none does without its libraries. */
function loadSharp(): Promise<SharpLibrary> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Pictures are rare and shared machines small: no cache, and one thread for each picture.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loaded;
}

type Source = string | Uint8Array;

export interface Picture {
  format: 'jpeg' | 'png' | 'gif' | 'webp';
  /** Pixels, as shown: turned by the EXIF orientation. */
  width: number;
  height: number;
  /** Stored lying or upside down: only a program that reads EXIF shows it upright. */
  turned: boolean;
}

async function open(source: Source, animated = false): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(source, { limitInputPixels: maxPixels, failOn: 'error', animated });
}

const damaged: FileRefusal = { refused: 422, message: '图片已损坏，无法打开' };
const tooLarge: FileRefusal = { refused: 422, message: '图片尺寸过大，请缩小到 8000×8000 像素以内' };

function refusalOf(error: unknown): FileRefusal {
  return String((error as Error).message).includes('pixel limit') ? tooLarge : damaged;
}

/**
 * Reads the head of a picture. Refused: 415 not a picture that may be shown (SVG, HTML, TIFF, …), 422 too large or
 * damaged.
 */
export async function inspectPicture(source: Source): Promise<{ ok: Picture } | FileRefusal> {
  let found: Metadata;
  try {
    found = await (await open(source)).metadata();
  } catch (error) {
    return refusalOf(error);
  }
  if (!formats.includes(found.format)) return { refused: 415, message: notAPicture };
  if (found.width * found.height > maxPixels) return tooLarge;
  const { width, height } = found.autoOrient;
  const turned = (found.orientation ?? 1) > 1;
  return { ok: { format: found.format as Picture['format'], width, height, turned } };
}

async function encoded(picture: Sharp): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  try {
    return { ok: new Uint8Array(await picture.toBuffer()) };
  } catch (error) {
    return refusalOf(error);
  }
}

/** A square WebP of `side` pixels, upright, without the camera's notes (place, time, device). */
export async function avatar(source: Source, side = 256): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const inspected = await inspectPicture(source);
  if (!('ok' in inspected)) return inspected;
  return encoded(
    (await open(source)).autoOrient().resize(side, side, { fit: 'cover', position: 'attention' }).webp({ quality: 82 }),
  );
}

/** Pixels. A long screenshot may be longer than `longer` as long as its shorter side has not more than `shorter`. */
interface TidySize {
  longer: number;
  shorter?: number;
  pixels?: number;
}

/** No format of ours holds a longer side: WebP has 16,383. */
const maxSide = 16_000;

function tidySide(width: number, height: number, { longer, shorter = 0, pixels = 0 }: TidySize): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const legible = Math.min((long * shorter) / short, Math.sqrt((pixels * long) / short), maxSide);
  return Math.round(Math.max(longer, Math.min(long, legible)));
}

/**
 * The picture upright, no larger than `size`, without the camera's notes; a GIF keeps its movement.
 * Its format stays, so that its ending and content type do.
 */
export async function tidyPicture(
  source: Source,
  size: TidySize = { longer: 2000 },
): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const inspected = await inspectPicture(source);
  if (!('ok' in inspected)) return inspected;
  const { format, width, height } = inspected.ok;
  const side = tidySide(width, height, size);
  const picture = (await open(source, format === 'gif' || format === 'webp'))
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true });
  return encoded(format === 'jpeg' ? picture.jpeg({ quality: 85, mozjpeg: true }) : picture.toFormat(format));
}

/** A PNG of few colours, as high as a header shows it on a dense screen. An operator's may be made of an SVG too. */
export async function logo(source: Source): Promise<{ ok: Uint8Array<ArrayBuffer> } | FileRefusal> {
  const picture = (await open(source)).autoOrient();
  return encoded(picture.resize({ width: 400, height: 64, fit: 'inside' }).png({ palette: true }));
}
