/** The product as it was before its newest migration, taken from the history of the clone. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const migrations = 'server/school/migrations';

export interface VersionBefore {
  /** The version's files, with the packages of this clone, and those that only it needs in the folder above. */
  folder: string;
  /** Its newest migration, without what follows the number. */
  latest: string;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const git = async (...words: string[]) => (await run('git', words, { maxBuffer: 16 * 1024 * 1024 })).stdout.trim();
const linesOf = (text: string) => text.split('\n').filter(Boolean);

/**
 * Of what is not committed yet the last commit is the version before; else that before the commit that has brought the
 * newest migration, whatever its number. `VERSION_BEFORE` names another commit, such as the one that a school runs.
 */
async function commitBefore(): Promise<string> {
  const named = process.env.VERSION_BEFORE;
  if (named) return await git('rev-parse', `${named}^{commit}`);
  const here = (await readdir(migrations)).map((file) => `${migrations}/${file}`);
  const committed = new Set(linesOf(await git('ls-tree', '--name-only', 'HEAD', `${migrations}/`)));
  if (committed.size === 0) throw new Error('its migrations are not in the history');
  if (here.some((file) => !committed.has(file))) return await git('rev-parse', 'HEAD');
  const brought = await git('log', '-1', '--no-renames', '--diff-filter=A', '--format=%H', '--', ...here);
  return await git('rev-parse', '--verify', '--quiet', `${brought}^`);
}

/** Installs into `above` the packages of the version in `folder` that this clone has no more. */
async function installDropped(above: string, folder: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const dropped = Object.entries<string>(dependencies).filter(([name]) => !existsSync(path.join('node_modules', name)));
  if (dropped.length === 0) return;
  const packages = dropped.map(([name, version]) => `${name}@${version}`);
  await run('npm', ['install', '--prefix', above, '--ignore-scripts', '--no-audit', '--no-fund', ...packages]);
}

/** `missing`: why there is none. */
export async function takeVersionBefore(): Promise<VersionBefore | { missing: string }> {
  let commit: string;
  try {
    if (!process.env.VERSION_BEFORE && (await git('rev-parse', '--is-shallow-repository')) === 'true')
      return { missing: 'this clone has no history' };
    commit = await commitBefore();
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return { missing: `this is no clone with its history (${linesOf(stderr || message)[0] ?? 'git says nothing'})` };
  }
  const above = await mkdtemp(path.join(tmpdir(), 'version-before-'));
  const remove = () => rm(above, { recursive: true, force: true });
  const folder = path.join(above, 'version');
  try {
    await mkdir(folder);
    const archive = path.join(above, 'version.tar');
    await git('archive', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    await rm(archive);
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    await installDropped(above, folder);
    const latest = (await readdir(path.join(folder, migrations))).sort().at(-1) ?? '';
    return { folder, latest: latest.replace('.ts', ''), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
