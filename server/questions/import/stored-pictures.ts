import { inspectPicture } from '#server/platform/files/image.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { SavePicture } from './imported-question.ts';

/** Stores those pictures of a file that browsers can display; `drop` deletes them if the file is not imported. */
export function pictureStore(storage: Storage) {
  const keys: string[] = [];
  const save: SavePicture = async (bytes) => {
    const inspected = await inspectPicture(bytes);
    if (!('ok' in inspected)) return null;
    const { format } = inspected.ok;
    const stored = await storage.put(
      (async function* () {
        yield bytes;
      })(),
      { extension: format === 'jpeg' ? 'jpg' : format, contentType: `image/${format}`, limit: bytes.byteLength },
    );
    if (!('ok' in stored)) return null;
    keys.push(stored.ok.key);
    return `/files/${stored.ok.key}`;
  };
  return { keys, save, drop: () => deleteFiles(storage, keys) };
}

export async function deleteFiles(storage: Storage, keys: readonly string[]): Promise<void> {
  for (const key of keys) await storage.delete(key);
}
