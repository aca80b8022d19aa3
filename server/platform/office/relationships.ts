import { posix } from 'node:path';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { readXml } from './xml.ts';

export interface Relationship {
  id: string;
  /**
   * Kind of the related part, which is the last segment of the type's URL, such as `image`, `worksheet` or
   * `officeDocument`.
   */
  type: string;
  /** Name of the related part, from the root of the file; if `external`, an address on the internet. */
  target: string;
  external: boolean;
}

/** Reads the relationships of a part ('' for the whole file) by id; empty if there are none. */
export async function readRelationships(zip: OpenedZip, part: string): Promise<Map<string, Relationship>> {
  const folder = posix.dirname(part);
  const list = await zip.stream(posix.join(folder, '_rels', `${posix.basename(part)}.rels`));
  const relationships = new Map<string, Relationship>();
  if (!list) return relationships;
  await readXml(list, {
    open: (name, attribute) => {
      if (name !== 'rel:Relationship') return;
      const id = attribute('Id') ?? '';
      const target = attribute('Target') ?? '';
      const external = attribute('TargetMode') === 'External';
      relationships.set(id, {
        id,
        type: (attribute('Type') ?? '').split('/').at(-1) ?? '',
        target: external ? target : partName(folder, target),
        external,
      });
    },
    close: () => {},
  });
  return relationships;
}

/** Resolves a target, which is absolute or relative to the folder of the part that names it. */
const partName = (folder: string, target: string): string =>
  posix.join(target.startsWith('/') ? '' : folder, target).replace(/^\/+/, '');

/** Returns the name of the main part, which may differ from its `usual` name. */
export async function mainPartOf(zip: OpenedZip, usual: string): Promise<string> {
  for (const relationship of (await readRelationships(zip, '')).values()) {
    if (relationship.type === 'officeDocument' && zip.sizes.has(relationship.target.toLowerCase())) {
      return relationship.target;
    }
  }
  return usual;
}
