// Records the version of the build in a file: `git describe` in a clone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const versionFile = 'build/version';

/**
 * Writes the version file. Without git, as in a release, an existing file stays.
 *
 * @param {string} root of the product
 * @param {string} [file] within it
 */
export function writeVersionFile(root, file = versionFile) {
  const version = versionOf(root);
  const path = join(root, file);
  if (version === undefined || (existsSync(path) && readFileSync(path, 'utf8') === version)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, version);
}

/** @param {string} root @returns {string | undefined} such as 1.0.0-1a2b3c4d; with a tag as git describes it */
export function versionOf(root) {
  if (!existsSync(join(root, '.git'))) return undefined;
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--always', '--dirty'], {
    cwd: root,
    encoding: 'utf8',
  });
  const described = status === 0 ? stdout.trim() : '';
  if (described === '') return undefined;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return /^v?\d+\./.test(described) ? described.replace(/^v/, '') : `${version}-${described}`;
}
