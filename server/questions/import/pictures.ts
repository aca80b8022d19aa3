import { pictureBytes } from '#server/platform/files/rules.ts';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import type { SavePicture } from './imported-question.ts';
import type { KeptPicture } from './rich-line.ts';
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

/** Where pictures are: a zip, or something like it. Part names in `sizes` are in lower case. */
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

async function keepPicture(zip: PictureSource, part: string, save: SavePicture | undefined): Promise<KeptPicture> {
  const size = zip.sizes.get(part.toLowerCase());
  if (size === undefined) return { lost: lossMessages.missingPicture };
  if (size > pictureBytes) return { lost: lossMessages.largePicture };
  const bytes = await zip.read(part);
  const type = bytes && pictureType(bytes);
  if (!bytes || !type) {
    const ending = /\.(\w{1,5})$/.exec(part)?.[1]?.toUpperCase();
    return { lost: pictureFormatLoss(ending) };
  }
  const url = await save?.(bytes, type);
  return url ? { url } : { lost: lossMessages.picture };
}
