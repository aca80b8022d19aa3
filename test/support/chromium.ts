import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
} from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { type Browser as OldBrowser, chromium as oldChromium } from 'playwright-core-130';
import { withLock } from '#server/platform/commands/lock.mjs';

/** True if the packaged browsers can run: they exist for Linux x64 only. */
export const hasPackagedChromium = process.platform === 'linux' && process.arch === 'x64';

// Makes no requests besides the test's. Runs without graphics card, user account and large /dev/shm. Leaves out
// --single-process, which the packages advise for cloud functions: with it, closing a page would end the browser.
const options = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Default options of a browser context. Reduced motion, because a fade between screens redraws 60 times a second, which
 * costs more than the rest of a test.
 */
const usualContext: BrowserContextOptions = { reducedMotion: 'reduce' };

interface MoreOfBrowser {
  args?: string[];
  ignoreDefaultArgs?: string[];
  /** True to run the full browser where the system has one, for features such as the back/forward cache. */
  isWhole?: boolean;
  /** True to save work in the headless shell. (The packaged browsers crash with it.) Not for measurements. */
  isSparing?: boolean;
}

/**
 * Rasterizes in the browser process, which saves a sixth of a page's time. Reusing the document's frame would save
 * another tenth, but Playwright then loses pages that a script navigates away from.
 */
const sparing = ['--in-process-gpu'];

/** The headless shell of Chromium. It is a quarter faster than the full browser. */
const lean = 'chromium-headless-shell';

/**
 * Starts the browser for tests: CHROMIUM_PATH, else the system's, else the packaged one. CHROMIUM_PATH=packaged forces
 * the packaged one, CHROMIUM_PATH=chromium-109 the oldest one that supports the scripts. The caller closes it.
 */
export async function launchChromium({ isWhole, isSparing, ...more }: MoreOfBrowser = {}): Promise<Browser> {
  const args = [...options, ...(more.args ?? [])];
  const asked = { headless: true, ...more, args };
  const installed = findInstalled(isWhole);
  if (installed && isSparing && basename(installed) === lean) args.push(...sparing);
  if (installed) return withUsualContext(await chromium.launch({ executablePath: installed, ...asked }));
  const { program, env, remove } = await preparePackaged(chosenPackage());
  const browser = await chromium.launch({ executablePath: program, ...asked, env });
  browser.once('disconnected', remove);
  return withUsualContext(browser);
}

function withUsualContext(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open({ ...usualContext, ...options });
    // Playwright's default is 30 s, but a busy machine may need more.
    context.setDefaultTimeout(60_000);
    return context;
  };
  return browser;
}

/** Starts the oldest browser that supports the scripts of the screens. The caller closes it. */
export const launchChromium109 = (): Promise<OldBrowser> => launchOld(oldest);

/** Folder of the unpacked package chrome-aws-lambda. The package is too large to install everywhere. */
export const chromium86 = process.env.CHROMIUM_86;

/**
 * Starts the oldest browser in which every page can be read and every form sent, without scripts. The caller closes it.
 */
export const launchChromium86 = (): Promise<OldBrowser> => launchOld('chromium-86');

async function launchOld(name: BrowserPackage): Promise<OldBrowser> {
  const { program, env, remove } = await preparePackaged(name);
  const browser = await oldChromium.launch({ executablePath: program, headless: true, args: options, env });
  browser.once('disconnected', remove);
  return browser;
}

/** Name and version of the browser that launchChromium starts. */
export async function describeChromium(): Promise<string> {
  const installed = findInstalled();
  if (!installed) return `Chromium ${versionOf(chosenPackage())}, packaged`;
  return (await promisify(execFile)(installed, ['--version'])).stdout.trim();
}

function findInstalled(isWhole = false): string | undefined {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen === 'packaged' || chosen === oldest) return undefined;
  if (chosen && !isExecutable(chosen)) throw new Error(`CHROMIUM_PATH names no program: ${chosen}`);
  if (chosen) return chosen;
  const whole = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const inFolders = (names: string[]) => names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const programs = [...inFolders(whole), '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
  return (isWhole ? [...programs, ...inFolders([lean])] : [...inFolders([lean]), ...programs]).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type BrowserPackage = '@sparticuz/chromium' | 'chromium-109' | 'chromium-86';

/** The oldest browser that supports the scripts of the screens. */
const oldest = 'chromium-109';

/**
 * True if the tests run in the oldest browser. The run in the oldest browser skips results that are equal in all
 * browsers (axe, page weight), and forms without a script, for which Chromium 86 is the oldest browser.
 */
export const isOldest = process.env.CHROMIUM_PATH === oldest;

const chosenPackage = (): BrowserPackage => (isOldest ? oldest : '@sparticuz/chromium');

const packages = resolve(import.meta.dirname, '../../node_modules');

const folderOf = (name: BrowserPackage) => (name === 'chromium-86' && chromium86) || join(packages, name);

function versionOf(name: BrowserPackage): string {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).version;
}

interface Packaged {
  program: string;
  env: Record<string, string>;
  /** Deletes this browser's folder of temporary files. */
  remove(): void;
}

/**
 * Prepares the libraries and the font of the package, for systems without them. Chromium 109 shows no page without a
 * font.
 */
async function preparePackaged(name: BrowserPackage): Promise<Packaged> {
  if (!hasPackagedChromium) throw new Error(`${name} runs on Linux x64 only; install Chromium or set CHROMIUM_PATH.`);
  const folder = await unpack(name);
  const temporary = mkdtempSync(join(tmpdir(), 'lectern-chromium-'));
  const fontSettings = join(temporary, 'fonts.conf');
  await writeFile(
    fontSettings,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${temporary}/font-cache</cachedir>
</fontconfig>
`,
  );
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    program: join(folder, 'chromium'),
    env: {
      ...Object.fromEntries(inherited),
      TMPDIR: temporary,
      FONTCONFIG_FILE: fontSettings,
      LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
    },
    remove: () => void rm(temporary, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Unpacks a browser once for all test runs, under a lock. The packages' own code unpacks every version into the same
 * folder, and a second process would find a half-written program there.
 */
async function unpack(name: BrowserPackage): Promise<string> {
  const parent = join(packages, '.cache/chromium');
  const folder = join(parent, `${name.replace(/\W/g, '-')}-${versionOf(name)}`);
  if (existsSync(folder)) return folder;
  const fill = async () => {
    if (existsSync(folder)) return;
    const draft = mkdtempSync(join(parent, 'draft-'));
    await inflate(join(folderOf(name), 'bin/chromium.br'), join(draft, 'chromium'));
    await chmod(join(draft, 'chromium'), 0o755);
    // The older packages lack the library nspr. The libraries and the font of the newer package work for them too.
    for (const archive of ['al2023.tar', 'fonts.tar']) {
      const file = join(draft, archive);
      await inflate(join(packages, `@sparticuz/chromium/bin/${archive}.br`), file);
      await promisify(execFile)('tar', ['-xf', file, '-C', draft]);
      await rm(file);
    }
    await chmod(draft, 0o755);
    await rename(draft, folder);
  };
  await withLock(`${folder}.lock`, fill, () => undefined);
  return folder;
}

async function inflate(source: string, target: string): Promise<void> {
  await pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target));
}
