/** The product as it was before its newest migration, taken from the history of the clone. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const migrations = 'server/school/migrations';

export interface VersionBefore {
  /** Holds it as a clone does, with the packages of this one. */
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
  const folder = await mkdtemp(path.join(tmpdir(), 'version-before-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = path.join(folder, 'version.tar');
    await git('archive', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    await rm(archive);
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    const latest = (await readdir(path.join(folder, migrations))).sort().at(-1) ?? '';
    return { folder, latest: latest.replace('.ts', ''), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
