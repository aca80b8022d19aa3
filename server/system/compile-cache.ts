/**
 * Purges Node's compile cache, which server processes and commands share. Node adds files to it but never deletes any.
 */
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { varFolder } from '#server/platform/db/location.ts';

/**
 * Deletes cached files that were not read since `unusedSince` (unix seconds), for example files of earlier versions.
 * Returns how many. Deleted code is compiled again if it is needed. On a disk without access times, the time of writing
 * counts.
 */
export async function purgeCompiled(unusedSince: number): Promise<number> {
  const folder = path.join(varFolder(), 'compiled');
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  let taken = 0;
  for (const file of files) {
    const times = await stat(file).catch(() => undefined);
    if (!times || Math.max(times.atimeMs, times.mtimeMs) >= unusedSince * 1_000) continue;
    await rm(file, { force: true });
    taken += 1;
  }
  // Removes empty folders, for example left by earlier Node versions.
  const folders = found
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  for (const one of folders) await rmdir(one).catch(() => undefined);
  return taken;
}
