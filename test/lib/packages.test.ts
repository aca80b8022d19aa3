/** Licences and checksums of packages. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Licences that require attribution only. */
const free = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
];
/** Also allowed in a release: a font's own licence, and image libraries loaded as separate files. */
const servedBesides: Record<string, RegExp> = {
  'OFL-1.1': /^node_modules\/@expo-google-fonts\//,
  'LGPL-3.0-or-later': /^node_modules\/@img\/sharp-/,
  'LGPL-3.0': /^node_modules\/libheif-js$/,
};
/** Build and test packages, not released. */
const ofDevelopment = ['MPL-2.0', 'CC-BY-4.0', 'CC0-1.0'];

const isAllowed = (licence: string, path: string, { dev, devOptional }: Locked): boolean =>
  free.includes(licence) ||
  servedBesides[licence]?.test(path) === true ||
  ((dev || devOptional) === true && ofDevelopment.includes(licence));

/** `(MIT OR CC0-1.0)` needs one, `MIT AND ISC` all. */
function isFree(path: string, locked: Locked): boolean {
  const said = (locked.license ?? 'none').replace(/^\((.*)\)$/, '$1');
  return said
    .split(' AND ')
    .every((part) => part.split(' OR ').some((licence) => isAllowed(licence.trim(), path, locked)));
}

const unfetched = (name: string, systems: string[]) => systems.map((system) => `node_modules/${name}-${system}`);
/**
 * Optional parts for unsupported platforms. The registry behind this lock has no checksum for them, so npm alone checks
 * them. A lock from another registry has the checksums, and may drop this list.
 */
const elsewhere = [
  ...unfetched('@napi-rs/canvas', [
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm-gnueabihf',
    'linux-arm64-musl',
    'linux-riscv64-gnu',
    'linux-x64-musl',
    'win32-arm64-msvc',
    'win32-x64-msvc',
  ]),
  ...unfetched('@myriaddreamin/typst-ts-node-compiler', [
    'android-arm-eabi',
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm-gnueabihf',
    'linux-arm64-gnu',
    'linux-arm64-musl',
    'win32-arm64-msvc',
    'win32-x64-msvc',
  ]),
];

describe('packages', () => {
  it('have an allowed licence', () => {
    const others = packages.filter(([path, locked]) => !isFree(path, locked));
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it('are locked with checksum, from the registry', () => {
    const isLocked = (path: string, { version = '', integrity, resolved }: Locked) =>
      /^\d+\.\d+\.\d+/.test(version) &&
      resolved === undefined &&
      (integrity === undefined ? elsewhere.includes(path) : /^sha512-[\w+/]{86}==$/.test(integrity));
    const open = packages.filter(([path, locked]) => !isLocked(path, locked));
    expect(open.map(([path]) => path)).toEqual([]);
    expect(elsewhere.filter((path) => lock.packages[path]?.integrity !== undefined)).toEqual([]);
  });

  it('install without scripts, except the runtime', () => {
    const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: object };
    const run = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
    expect(run).toEqual(Object.keys(allowScripts).map((name) => `node_modules/${name}`));
  });

  it('of ours have exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});
