/** Reads sizes, crops and alternative texts of the pictures of a Word document. */
import type { ReadAttribute } from '#server/platform/office/xml.ts';
import type { PictureCrop } from './rich-line.ts';

/** English Metric Units per CSS pixel. */
const emuPerPixel = 9525;

/** Converts English Metric Units to CSS pixels; undefined for sizes that no picture has. */
export function pixels(metricUnits: string | undefined): number | undefined {
  const size = Math.round(Number(metricUnits) / emuPerPixel);
  return size > 0 && size < 10_000 ? size : undefined;
}

/** Rounds a size in CSS pixels; undefined for sizes that no picture has. */
export function wholePixels(size: number): number | undefined {
  const rounded = Math.max(Math.round(size), 1);
  return size > 0 && rounded < 10_000 ? rounded : undefined;
}

/** CSS pixels per unit of a length in VML. */
const pixelsPerUnit: Readonly<Record<string, number>> = {
  pt: 4 / 3,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  px: 1,
  pc: 16,
};

/** Reads a length of a VML style in CSS pixels. Inside a group, lengths have no unit and say nothing. */
export function lengthIn(style: string, name: string): number | undefined {
  const length = new RegExp(`(?:^|;)\\s*${name}:\\s*([\\d.]+)(pt|in|cm|mm|px|pc)`).exec(style);
  return length ? wholePixels(Number(length[1]) * (pixelsPerUnit[length[2] ?? ''] ?? 0)) : undefined;
}

/** The cut sides of a picture as parts of its size; undefined if it is not cut. Sides that add a margin are ignored. */
export function cropOf(attribute: ReadAttribute): PictureCrop | undefined {
  const [left, top, right, bottom] = ['l', 't', 'r', 'b'].map((side) => {
    const written = attribute(side) ?? '0';
    const part = written.endsWith('%') ? Number.parseFloat(written) / 100 : Number(written) / 100_000;
    return part > 0.005 ? part : 0;
  }) as [number, number, number, number];
  const isCut = left + top + right + bottom > 0 && left + right < 1 && top + bottom < 1;
  return isCut ? { left, top, right, bottom } : undefined;
}

/**
 * Drops alternative texts that editors generate: file names, paths and guesses say nothing, and may reveal the author.
 */
export const usefulAlt = (description: string | undefined): string =>
  description === undefined ||
  /[\\/]|\.\w{3,4}$|^(?:图片|picture|image|img|descript)|[\r\n]|^\w*$/i.test(description.trim())
    ? '图片'
    : description.trim().slice(0, 100);
