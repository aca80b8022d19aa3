/** Finds and stores the pictures of a QTI package. */
import { posix } from 'node:path';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import type { SavePicture } from '../imported-question.ts';
import { createPictureStore } from '../pictures.ts';
import type { KeptPicture } from '../rich-line.ts';
import { lossMessages } from '../rules.ts';

export interface QtiPictures {
  /** Notes a picture that an item shows; returns its number. `source`: as written in the item. */
  add(source: string, folder: string): number;
  /** Stores these pictures, each once. */
  keep(numbers: readonly number[]): Promise<void>;
  kept(number: number): KeptPicture | undefined;
}

/** `zip`: undefined for a single item without its package. */
export function createQtiPictures(zip: OpenedZip | undefined, save: SavePicture | undefined): QtiPictures {
  /** Part name or `data:` address of each picture, or why it cannot be kept. */
  const found: (string | { lost: string })[] = [];
  const numbers = new Map<string, number>();
  const embedded = new Map<string, Buffer>();
  const store = createPictureStore(
    {
      sizes: { get: (part) => embedded.get(part)?.length ?? zip?.sizes.get(part) },
      read: async (part) => embedded.get(part) ?? (await zip?.read(part)),
    },
    save,
  );
  const locate = (source: string, folder: string): string | { lost: string } => {
    const data = /^data:image\/[\w.+-]+;base64,([\s\S]+)$/i.exec(source);
    if (data) {
      const key = `embedded picture ${embedded.size + 1}`;
      embedded.set(key, Buffer.from(data[1] ?? '', 'base64'));
      return key;
    }
    if (/^(?:[a-z][\w+.-]*:)?\/\//i.test(source)) return { lost: lossMessages.linkedPicture };
    const part = partNames(source, folder).find((name) => zip?.sizes.has(name.toLowerCase()));
    return part ?? { lost: lossMessages.missingPicture };
  };
  return {
    add(source, folder) {
      const key = `${folder}\n${source}`;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, found.push(locate(source, folder)) - 1);
      return found.length - 1;
    },
    keep: (wanted) => store.keep(wanted.map((number) => found[number]).filter((part) => typeof part === 'string')),
    kept(number) {
      const part = found[number];
      return typeof part === 'string' ? store.kept.get(part) : part;
    },
  };
}

/** Folder of a Common Cartridge whose files `$IMS-CC-FILEBASE$` names. */
const courseFiles = 'web_resources';

/** Returns the names that a picture may have in the package: as written, decoded, and from the package's root. */
function partNames(source: string, folder: string): string[] {
  const written = [source, source.replace(/[?#].*$/, '')].flatMap((name) => [name, decoded(name)]);
  return written.flatMap((name) => {
    const ofCourse =
      /^\$IMS[-_]CC[-_]FILEBASE\$\/(.*)$/.exec(name)?.[1] ??
      /^\$CANVAS_COURSE_REFERENCE\$\/file_contents\/[^/]+\/(.*)$/.exec(name)?.[1];
    if (ofCourse !== undefined)
      return [posix.join(courseFiles, ofCourse), posix.normalize(ofCourse.replace(/^(?:\.\.\/)+/, ''))];
    const relative = name.replace(/^\/+/, '');
    return [posix.join(folder, relative), posix.normalize(relative)];
  });
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
