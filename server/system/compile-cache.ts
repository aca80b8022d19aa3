/** What threads and commands have compiled and the next ones take over. Node writes it, and never clears it. */
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { varFolder } from '#server/platform/db/location.ts';

/**
 * Takes away what nobody has read since a moment (unix seconds), such as that of versions before; answers how many files.
 * What is needed all the same is compiled again. A disk that does not note when a file is read says when it was written.
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
  // Those of other versions of Node are empty then; any other stays.
  const folders = found
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  for (const one of folders) await rmdir(one).catch(() => undefined);
  return taken;
}
