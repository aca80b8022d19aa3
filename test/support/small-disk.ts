import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Mounts a disk of `megabytes` in the folder `within`. If that fails, `missing` says why. */
export function smallDisk(
  megabytes: number,
  within = tmpdir(),
): { folder: string; remove(): void } | { missing: string } {
  const folder = mkdtempSync(path.join(within, 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    return { missing: `no small disk can be mounted here: ${error instanceof Error ? error.message : error}` };
  }
  return {
    folder,
    remove() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
