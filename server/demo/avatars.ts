/** Avatars of the demo school's staff; without one the profile form cannot be saved. */
import { Readable } from 'node:stream';
import sharp from 'sharp';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';

const colours = ['#1864ab', '#0b6b3a', '#8a4b00', '#5f3dc4', '#b3261e', '#0072b2', '#a61e4d', '#556372'];

/** Stores square WebP pictures, as the profile form does; returns their paths. */
export function storeAvatars(storage: Storage): Promise<string[]> {
  return Promise.all(
    colours.map(async (colour, index) => {
      // Each avatar shows head and shoulders, half of them with longer hair.
      const hair = index % 2 === 0 ? 'M74 112a54 54 0 0 1 108 0z' : 'M70 160V108a58 58 0 0 1 116 0v52z';
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
        <rect width="256" height="256" fill="${colour}" fill-opacity="0.2"/>
        <path d="M32 256a96 80 0 0 1 192 0z" fill="${colour}"/>
        <path d="${hair}" fill="#3d2b23"/>
        <circle cx="128" cy="118" r="46" fill="#f3d3b5"/>
        <path d="M84 104a44 46 0 0 1 88 0q-44-${14 + index} -88 0z" fill="#3d2b23"/>
      </svg>`;
      const bytes = await sharp(Buffer.from(drawing)).flatten({ background: '#fff' }).webp({ quality: 82 }).toBuffer();
      const stored = await storage.put(Readable.from([bytes]), {
        extension: 'webp',
        contentType: 'image/webp',
        limit: bytes.byteLength,
      });
      if (!('ok' in stored)) throw new Error(`A demo file was refused: ${stored.message}`);
      return `/files/${stored.ok.key}`;
    }),
  );
}

/** Gives the avatars to the staff in turn; the newcomer gets none. */
export async function addAvatars(db: Database, avatars: readonly string[]): Promise<void> {
  const staff = await db.selectFrom('staff').select('id').where('username', '!=', 'newcomer').orderBy('id').execute();
  for (const [index, { id }] of staff.entries()) {
    const avatar = avatars[index % avatars.length];
    if (avatar) await db.updateTable('staff').set({ avatar }).where('id', '=', id).execute();
  }
}
