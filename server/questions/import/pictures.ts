import { pngOf } from '#server/platform/files/image.ts';
import { pictureBytes } from '#server/platform/files/rules.ts';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import type { SavePicture } from './imported-question.ts';
import { type KeptPicture, readPictureKey } from './rich-line.ts';
import { lossMessages, pictureFormatLoss } from './rules.ts';

const asText = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/**
 * Detects the media type from the bytes, whatever the name says. Undefined for formats that browsers do not display,
 * such as EMF, WMF and TIFF.
 */
export function pictureType(bytes: Buffer): string | undefined {
  if (asText(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (asText(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(asText(bytes, 0, 6))) return 'image/gif';
  if (asText(bytes, 0, 4) === 'RIFF' && asText(bytes, 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

export interface PictureStore {
  /** Stores these pictures of the file, each once; the results are in `kept`. */
  keep(parts: readonly string[]): Promise<void>;
  kept: ReadonlyMap<string, KeptPicture>;
}

/** A zip, or another place with pictures. Part names in `sizes` are in lower case. */
export interface PictureSource {
  sizes: Pick<OpenedZip['sizes'], 'get'>;
  read: OpenedZip['read'];
}

export function createPictureStore(zip: PictureSource, save: SavePicture | undefined): PictureStore {
  const kept = new Map<string, KeptPicture>();
  return {
    kept,
    keep: async (parts) => {
      for (const part of parts) {
        if (!kept.has(part)) kept.set(part, await keepPicture(zip, part, save));
      }
    },
  };
}

/** Maximum bytes of a drawing that is converted; larger ones hold large pictures, and take seconds. */
const maxDrawing = 4 * 2 ** 20;

const isMetafile = (bytes: Buffer): boolean =>
  asText(bytes, 0, 4) === '\xd7\xcd\xc6\x9a' ||
  (asText(bytes, 0, 4) === '\x01\0\0\0' && asText(bytes, 40, 44) === ' EMF') ||
  ['\x01\0\x09\0', '\x02\0\x09\0'].includes(asText(bytes, 0, 4));

const isTiff = (bytes: Buffer): boolean => ['II*\0', 'MM\0*'].includes(asText(bytes, 0, 4));

/** Converts drawings of Windows (WMF, EMF) and TIFF, which browsers do not display, to PNG; undefined for others. */
async function convertPicture(bytes: Buffer): Promise<Buffer | undefined> {
  if (isTiff(bytes)) return pngOf(bytes);
  if (!isMetafile(bytes) || bytes.length > maxDrawing) return undefined;
  const { convertMetafileToSvg } = await import('emf-converter');
  const svg = await convertMetafileToSvg(Uint8Array.from(bytes).buffer).catch(() => null);
  return svg ? pngOf(Buffer.from(svg), { isDrawing: true }) : undefined;
}

async function keepPicture(zip: PictureSource, key: string, save: SavePicture | undefined): Promise<KeptPicture> {
  const { part, crop } = readPictureKey(key);
  const size = zip.sizes.get(part.toLowerCase());
  if (size === undefined) return { lost: lossMessages.missingPicture };
  if (size > pictureBytes) return { lost: lossMessages.largePicture };
  const read = await zip.read(part);
  const shown = read && (pictureType(read) ? read : await convertPicture(read));
  const bytes = shown && crop ? ((await pngOf(shown, { crop })) ?? shown) : shown;
  const type = bytes && pictureType(bytes);
  if (!bytes || !type) {
    const ending = /\.(\w{1,5})$/.exec(part)?.[1]?.toUpperCase();
    return { lost: pictureFormatLoss(ending) };
  }
  const url = await save?.(bytes, type);
  return url ? { url } : { lost: lossMessages.picture };
}
