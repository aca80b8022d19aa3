// `npm run release`: packs an archive with the build, the server and its runtime packages. It runs offline on a machine
// of the same kind: unpack it and `npm start`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './process.mjs';
import { builtFiles, ensureBuilt, ensureInstalled, fail, lockedPackages, projectRoot } from './setup.mjs';
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

const asked = readFileSync(join(folder, 'build/server/index.js'), 'utf8').matchAll(
  /\/static\/(assets\/[\w.~-]+\.(?:css|js))\b/g,
);
for (const [, file] of asked)
  if (!built.includes(`client/${file}`))
    fail(`The build names ${file}, which it is not made of: remove the folder build, and try again.`);

if (existsSync(join(projectRoot, versionFile))) cpSync(join(projectRoot, versionFile), join(folder, versionFile));

const unread = new Set(unreadFiles());
/** @type {(file: string) => boolean} */
const isUnread = (file) => unread.has(file) || (file.includes('/') && isUnread(dirname(file)));

const packages = Object.fromEntries(
  Object.entries(lockedPackages(projectRoot)).filter(
    ([path, { dev, devOptional }]) =>
      path && !dev && !devOptional && !isUnread(path) && existsSync(join(projectRoot, path)),
  ),
);
const paths = Object.keys(packages);
// Skips a path inside another path of the list, because that one is copied with its content.
for (const path of paths.filter((one) => !paths.some((other) => one.startsWith(`${other}/`))))
  cpSync(join(projectRoot, path), join(folder, path), {
    recursive: true,
    filter: (source) => !isUnread(source.slice(projectRoot.length + 1)),
  });
// npm's hidden lockfile, by which `npm start` sees that the installed packages match package-lock.json.
writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));

const archive = `${title}.tar.gz`;
const code = await run('tar', ['-czf', archive, title], { cwd: join(projectRoot, 'release') });
if (code !== 0) fail('The archive could not be written (tar failed).', code);
console.log(`release/${archive}`);

/**
 * Files of packages that nothing reads at run time (245 MB): headers and a second copy of the Node runtime, font
 * weights that server/platform/pdf/typeset.ts does not use, TypeScript, builds for other runtimes than Node, types and
 * source maps.
 *
 * @returns {string[]} paths within the project
 */
function unreadFiles() {
  const fonts = 'node_modules/@expo-google-fonts/noto-sans-sc';
  const weights = namesIn(fonts).filter((name) => /^\d/.test(name) && !['400Regular', '700Bold'].includes(name));
  const conventions = 'node_modules/@opentelemetry/semantic-conventions/dist';
  const parts = namesIn('node_modules/docx/dist').filter((name) => name !== 'index.mjs');
  const forms = namesIn(conventions).filter((name) => /\.(?:cts|mjs)$/.test(name));
  return [
    'node_modules/node/node_modules',
    ...weights.map((name) => `${fonts}/${name}`),
    'node_modules/typescript',
    'node_modules/@typescript',
    // An optional companion of emf-converter, which draws to bitmaps; only tests use it.
    'node_modules/@napi-rs',
    ...['browser.js', 'browser.mjs', 'index.js'].map((name) => `node_modules/emf-converter/dist/${name}`),
    ...namesIn('node_modules/@opentelemetry').flatMap((name) =>
      ['esm', 'esnext'].map((form) => `node_modules/@opentelemetry/${name}/build/${form}`),
    ),
    ...forms.map((name) => `${conventions}/${name}`),
    ...parts.map((name) => `node_modules/docx/dist/${name}`),
    ...['dist', 'examples', 'test'].map((name) => `node_modules/bintrees/${name}`),
    ...['libheif', 'libheif-wasm/libheif-bundle.js', 'libheif-wasm/libheif-bundle.mjs'].map(
      (name) => `node_modules/libheif-js/${name}`,
    ),
    ...namesIn('node_modules', { recursive: true })
      .filter((name) => /\.(?:d\.[cm]?ts|map)$/.test(name) && !name.startsWith('node/'))
      .map((name) => `node_modules/${name}`),
  ];
}

/** @param {string} folder @param {{ recursive?: boolean }} [options] */
function namesIn(folder, options) {
  const path = join(projectRoot, folder);
  return existsSync(path) ? readdirSync(path, { encoding: 'utf8', ...options }) : [];
}
