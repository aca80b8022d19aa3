// Preparation for `npm start`, `npm test` and other commands: installs packages and builds. Works in a fresh clone:
// plain JavaScript for any Node 20 or later, without packages.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { withLock } from './lock.mjs';
import { run } from './process.mjs';
import { writeVersionFile } from './version.mjs';

export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The pinned Node runtime, an npm package like the others. */
const runtime = 'node_modules/node/bin/node';

/** Nine kilobytes of Chinese text in a filter make 27 kB of URL; Node's default limit for all headers is 16 kB. */
const headerSize = '--max-http-header-size=131072';

/**
 * Runs a program of the project on the pinned Node and returns its exit code.
 *
 * @param {string[]} args the script and its arguments
 * @param {{ env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void, leaving?: number }} [options]
 */
export function runOnPinnedNode(args, options) {
  return run(join(projectRoot, runtime), [headerSize, ...args], { cwd: projectRoot, ...options });
}

/** Installs the locked packages if they are missing or differ from package-lock.json. */
export async function ensureInstalled() {
  if (whyInstall(projectRoot) === undefined) return;
  const refused = whyNotReinstall(projectRoot);
  if (refused !== undefined) fail(refused);
  await withLock(join(projectRoot, '.setup-lock'), async () => {
    const why = whyInstall(projectRoot);
    if (why === undefined) return;
    console.log(`Installing the packages: ${why}.`);
    // Building needs development packages, whatever NODE_ENV says. Hides warnings about the machine's own Node; the
    // project runs on the pinned one.
    const code = await run('npm', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
      cwd: projectRoot,
      env: environmentOfMachine(),
    });
    if (code !== 0) fail('The packages could not be installed (npm ci failed).', code);
    if (!existsSync(join(projectRoot, runtime)))
      fail('The package "node" did not set up its runtime: npm must be allowed to run install scripts.');
    writeFileSync(join(projectRoot, installedFor), hashOfLockfile(projectRoot));
  });
}

/**
 * Installs packages only if there are none: a production installation is upgraded by hand, not while it starts. Runtime
 * packages suffice if there is a build (`npm ci --omit=dev`, or a release).
 */
export async function ensureInstalledToServe() {
  if (!existsSync(join(projectRoot, 'node_modules'))) return ensureInstalled();
  const why = whyInstall(projectRoot, { toServe: true });
  if (why !== undefined) fail(`The packages are not as they were locked: ${why}. Install them with: npm ci`);
}

/**
 * Returns why the packages of this installation must not be reinstalled; undefined if they may be. `npm ci` first
 * deletes the packages that a running server needs, and the machine may be offline.
 *
 * @param {string} root
 * @returns {string | undefined} the reason as a sentence
 */
export function whyNotReinstall(root) {
  if (!existsSync(join(root, 'app'))) return 'A release serves a school: it is neither built nor tested.';
  const isToServe =
    existsSync(join(root, 'node_modules')) &&
    !existsSync(join(root, buildTool)) &&
    whyInstall(root, { toServe: true }) === undefined;
  return isToServe ? 'The packages to build and to test with are not installed. Install them with: npm ci' : undefined;
}

const installedFor = 'node_modules/.installed-for';

/**
 * @param {string} root
 * @param {{ toServe?: boolean }} [options] toServe: development packages may be missing
 * @returns {string | undefined} the reason to install; undefined if packages are up to date
 */
export function whyInstall(root, { toServe = false } = {}) {
  if (!existsSync(join(root, 'node_modules'))) return 'there are none yet';
  if (!existsSync(join(root, runtime))) return 'they are incomplete';
  const missing = namedPackages(root, toServe).find((name) => !existsSync(join(root, 'node_modules', name)));
  if (missing !== undefined) return `${missing} is missing`;
  const hash = hashOfLockfile(root);
  if (readIfThere(join(root, installedFor)) === hash) return undefined;
  // Compares with npm's own record, because packages may have been installed by hand.
  if (!isInstalledAsLocked(root, toServe)) return 'package-lock.json has changed';
  if (!toServe) writeFileSync(join(root, installedFor), hash);
  return undefined;
}

/** @param {string} root @param {boolean} toServe @returns {string[]} packages that package.json names */
function namedPackages(root, toServe) {
  const { dependencies, devDependencies } = JSON.parse(readIfThere(join(root, 'package.json')) ?? '{}');
  return Object.keys({ ...dependencies, ...(toServe ? {} : devDependencies) });
}

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }>} Packages */

/** @param {string} root @param {boolean} toServe */
function isInstalledAsLocked(root, toServe) {
  const noted = readIfThere(join(root, 'node_modules/.package-lock.json'));
  if (noted === undefined) return false;
  /** @type {Packages} */
  const installed = JSON.parse(noted).packages;
  return Object.entries(lockedPackages(root)).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    const found = installed[path];
    // Optional packages may be for another system.
    if (path === '' || (!found && (optional || (toServe && (dev || devOptional))))) return true;
    return found?.version === version && found?.integrity === integrity;
  });
}

/** @param {string} root @returns {Packages} by path */
export const lockedPackages = (root) => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** @param {string} root */
function hashOfLockfile(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/**
 * Environment with a PATH that leaves out the project's own programs: npm must not run on the Node that it replaces.
 */
function environmentOfMachine() {
  const bin = join('node_modules', '.bin');
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(bin));
  return { ...process.env, PATH: path.join(delimiter) };
}

/** Builds the screens if there is no build or their sources have changed. */
export async function ensureBuilt() {
  await rebuildIfChanged();
  writeVersionFile(projectRoot);
}

async function rebuildIfChanged() {
  if (whyBuild(projectRoot) === undefined) return;
  await withLock(join(projectRoot, '.setup-lock'), async () => {
    const why = whyBuild(projectRoot);
    if (why === undefined) return;
    if (!existsSync(join(projectRoot, buildTool)))
      fail(`The screens must be built first, ${why}, and the packages to build with are not installed: npm ci`);
    console.log(`Building the screens: ${why}.`);
    const hash = hashOfBuildSources(projectRoot);
    rmSync(join(projectRoot, builtFrom), { force: true });
    const began = Date.now();
    let output = '';
    const code = await runOnPinnedNode([buildTool, 'build'], {
      env: { ...process.env, NODE_ENV: 'production' },
      onOutput: (text) => {
        output += text;
      },
    });
    if (code !== 0) fail(`${output}\nThe screens could not be built.`, code);
    compressAssets(projectRoot, began);
    keepPreviousBuild(projectRoot, began);
    writeFileSync(join(projectRoot, builtFrom), hash);
  });
}

/**
 * Writes a Brotli file beside each script and stylesheet of the new build (calls/compressed-assets.ts serves them).
 *
 * @param {string} root
 * @param {number} began when the build began, milliseconds
 */
function compressAssets(root, began) {
  for (const file of filesIn(join(root, 'build/client/assets')))
    if (/\.(?:js|css)$/.test(file) && isNewer(file, began))
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
}

/**
 * True if a file was written after a moment (milliseconds), with a second of tolerance for coarse file times.
 *
 * @param {string} file
 * @param {number} moment
 */
const isNewer = (file, moment) => statSync(file).mtimeMs > moment - 1000;

/**
 * Keeps the previous build's files beside the new ones and deletes older ones. A server that is still running serves
 * pages that name files of its own build.
 *
 * @param {string} root
 * @param {number} began when the build began, milliseconds: newer files belong to the new build
 */
export function keepPreviousBuild(root, began) {
  const former = builtFiles(root);
  const all = filesIn(join(root, 'build')).map((file) => relative(join(root, 'build'), file));
  const isNew = (/** @type {string} */ file) => isNewer(join(root, 'build', file), began);
  const own = all.filter((file) => isNew(file) && !file.startsWith('.'));
  for (const file of all)
    if (!file.startsWith('.') && !own.includes(file) && former?.includes(file) === false)
      rmSync(join(root, 'build', file));
  writeFileSync(join(root, builtList), JSON.stringify(own));
}

/**
 * @param {string} root
 * @returns {string[] | undefined} files of the last build, relative to its folder; undefined if not recorded
 */
export function builtFiles(root) {
  const list = readIfThere(join(root, builtList));
  return list === undefined ? undefined : JSON.parse(list);
}
const builtList = 'build/.files';

/**
 * True if a test run needs the build: only files of `api/`, `db/` and `lib/` open no screen.
 *
 * @param {readonly string[]} args of `npm test`
 */
export function testsNeedBuild(args) {
  const files = args.filter((argument) => argument.startsWith('test/'));
  return files.length === 0 || !files.every((file) => /^test\/(?:api|db|lib)(?:\/|$)/.test(file));
}

/** The build tool, a development package. */
export const buildTool = 'node_modules/@react-router/dev/bin.cjs';
const builtFrom = 'build/.built-from';

/**
 * @param {string} root
 * @returns {string | undefined} the reason to build; undefined if the build is up to date
 */
export function whyBuild(root) {
  if (!existsSync(join(root, 'build/server/index.js'))) return 'there is no build yet';
  // A release has the build without sources.
  if (!existsSync(join(root, 'app'))) return undefined;
  if (readIfThere(join(root, builtFrom)) !== hashOfBuildSources(root)) return 'their sources have changed';
  return undefined;
}

/** @param {string} root */
export function hashOfBuildSources(root) {
  const hash = createHash('sha256');
  for (const file of buildSources(root)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Lists the files that the build bundles: screens, and the contracts and rules of the server that they import.
 * Server-only files (`*.server.ts`) import the rest, which is not bundled.
 *
 * @param {string} root
 * @returns {string[]} paths within the project, sorted
 */
export function buildSources(root) {
  const settings = readdirSync(root).filter(
    (name) => /\.config\.\w+$/.test(name) || ['package.json', 'package-lock.json', 'tsconfig.json'].includes(name),
  );
  const screens = filesIn(join(root, 'app'));
  const programs = screens.filter((file) => /(?<!\.server)\.tsx?$/.test(file));
  const files = new Set([...screens, ...filesIn(join(root, 'public')), ...withImports(root, programs)]);
  return [...settings, ...[...files].map((file) => relative(root, file))].sort();
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/**
 * @param {string} root
 * @param {string[]} files
 * @returns {Set<string>} the files, and the server files that they import directly or indirectly
 */
function withImports(root, files) {
  const found = new Set(files);
  for (const file of found) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(
      /\b(?:from|import)[\s(]+'((?:\.\.?|#server)\/[^']+)'/g,
    )) {
      const path = name?.startsWith('#') ? join(root, name.slice(1)) : join(dirname(file), name ?? '');
      if (existsSync(path)) found.add(path);
    }
  }
  return found;
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * Ends the command with a message.
 *
 * @param {string} message
 * @param {number} [code]
 * @returns {never}
 */
export function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
