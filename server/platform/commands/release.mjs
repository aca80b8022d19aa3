// `npm run release`: one archive that runs without a network, a build or an installation, on a machine of this kind:
// the build, the server and the packages to run with. Unpack it and `npm start`.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, run } from './process.mjs';
import { releasedCompiled } from './serving.mjs';
import { builtFiles, ensureBuilt, ensureInstalled, fail, lockedPackages, projectRoot } from './setup.mjs';
import { unreadFiles, unreadToServe } from './unread.mjs';
import { versionFile } from './version.mjs';

await ensureInstalled();
await ensureBuilt();

const { name, version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const title = `${name}-${version}-${process.platform}-${process.arch}`;
const folder = join(projectRoot, 'release', title);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

for (const part of [
  'build',
  'server',
  'public',
  'package.json',
  'package-lock.json',
  'README.md',
  'SECURITY.md',
  'LICENSE',
])
  cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
const built = builtFiles(projectRoot) ?? fail('The build does not say what it is made of: remove the folder build.');
for (const file of readdirSync(join(folder, 'build'), { recursive: true, encoding: 'utf8' }))
  if (!built.includes(file) && statSync(join(folder, 'build', file)).isFile()) rmSync(join(folder, 'build', file));

if (existsSync(join(projectRoot, versionFile))) cpSync(join(projectRoot, versionFile), join(folder, versionFile));

const unread = new Set([...unreadFiles(projectRoot), ...unreadToServe(projectRoot)]);
/** @type {(file: string) => boolean} */
const isUnread = (file) => unread.has(file) || (file.includes('/') && isUnread(dirname(file)));

const packages = Object.fromEntries(
  Object.entries(lockedPackages(projectRoot)).filter(
    ([path, { dev, devOptional }]) =>
      path && !dev && !devOptional && !isUnread(path) && existsSync(join(projectRoot, path)),
  ),
);
const paths = Object.keys(packages);
// What stands within another's folder comes with it.
for (const path of paths.filter((one) => !paths.some((other) => one.startsWith(`${other}/`))))
  cpSync(join(projectRoot, path), join(folder, path), {
    recursive: true,
    filter: (source) => !isUnread(source.slice(projectRoot.length + 1)),
  });
// As npm notes it, so that the packages are known for those of package-lock.json.
writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));

await compile();

const archive = `${title}.tar.gz`;
const code = await run('tar', ['-czf', archive, title], { cwd: join(projectRoot, 'release') });
if (code !== 0) fail('The archive could not be written (tar failed).', code);
console.log(`release/${archive}`);

/** Starts it once, with a school that is thrown away, so that no start of it has to compile what all of them do. */
async function compile() {
  const varDir = mkdtempSync(join(tmpdir(), 'release-'));
  mkdirSync(join(folder, releasedCompiled));
  const port = await freePort(0);
  const server = spawn(process.execPath, [join(folder, 'server/platform/commands/start.mjs')], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), VAR_DIR: varDir, DATABASE_URL: '', API_BASE_URL: '', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const base = `http://127.0.0.1:${port}`;
  let isUp = false;
  while (!isUp && server.exitCode === null) {
    await pause(100);
    isUp = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  if (isUp) await fetch(`${base}/login`, { headers: { accept: 'text/html' } });
  server.kill('SIGTERM');
  await ended;
  rmSync(varDir, { recursive: true, force: true });
  if (!isUp) fail('The release does not start.');
}
