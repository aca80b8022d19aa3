import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock } from '#server/platform/commands/lock.mjs';
import { freePort } from '#server/platform/commands/process.mjs';
import {
  buildTool,
  builtFiles,
  hashOfBuildSources,
  keepPreviousBuild,
  testsNeedBuild,
  whyBuild,
  whyInstall,
  whyNotReinstall,
} from '#server/platform/commands/setup.mjs';
import { pauseFor } from '../support/pause.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lectern-setup-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

const lockfile = (packages: object) => JSON.stringify({ packages: { '': { name: 'lectern' }, ...packages } });

describe('installing', () => {
  const hono = { version: '4.13.19', integrity: 'sha512-a' };

  test('is needed in a fresh clone, and without the runtime', () => {
    write({ 'package-lock.json': lockfile({}) });
    expect(whyInstall(root)).toBe('there are none yet');
    write({ 'node_modules/react/index.js': '' });
    expect(whyInstall(root)).toBe('they are incomplete');
  });

  test('is needed after a package was deleted, and names it', () => {
    write({
      'package.json': JSON.stringify({ dependencies: { hono: '4' }, devDependencies: { vite: '8' } }),
      'node_modules/node/bin/node': '',
      'node_modules/vite/package.json': '',
    });
    expect(whyInstall(root)).toBe('hono is missing');
    write({ 'node_modules/hono/package.json': '', 'package-lock.json': lockfile({ hono }) });
    rmSync(join(root, 'node_modules/vite'), { recursive: true });
    expect(whyInstall(root)).toBe('vite is missing');
    write({ 'node_modules/.package-lock.json': lockfile({ hono }) });
    expect(whyInstall(root, { toServe: true })).toBeUndefined();
  });

  test('is needed after package-lock.json changes, unless npm has installed it', () => {
    write({ 'node_modules/node/bin/node': '', 'node_modules/.package-lock.json': lockfile({ hono }) });
    write({ 'package-lock.json': lockfile({ hono, 'for-another-system': { version: '1.0.0', optional: true } }) });
    expect(whyInstall(root)).toBeUndefined();
    write({ 'package-lock.json': lockfile({ hono: { version: '4.14.0', integrity: 'sha512-b' } }) });
    expect(whyInstall(root)).toBe('package-lock.json has changed');
    write({ 'package-lock.json': lockfile({ hono, kysely: { version: '0.29.9' } }) });
    expect(whyInstall(root)).toBe('package-lock.json has changed');
  });
});

describe('serving', () => {
  const hono = { version: '4.13.19', integrity: 'sha512-a' };
  const vite = { version: '8.0.0', integrity: 'sha512-v', dev: true };
  const installed = (packages: object) =>
    write({ 'node_modules/node/bin/node': '', 'node_modules/.package-lock.json': lockfile(packages) });

  test('needs no development packages', () => {
    installed({ hono });
    write({ 'package-lock.json': lockfile({ hono, vite }) });
    expect(whyInstall(root, { toServe: true })).toBeUndefined();
    expect(whyInstall(root)).toBe('package-lock.json has changed');
  });

  test('needs the others as locked', () => {
    installed({ hono: { version: '4.13.18', integrity: 'sha512-b' } });
    write({ 'package-lock.json': lockfile({ hono, vite }) });
    expect(whyInstall(root, { toServe: true })).toBe('package-lock.json has changed');
  });

  test('is not interrupted by building or testing commands, which delete packages', () => {
    installed({ hono });
    write({ 'package-lock.json': lockfile({ hono, vite }), 'app/root.tsx': '' });
    expect(whyNotReinstall(root)).toContain('npm ci');
    // A clone of the repository whose packages are installed.
    write({ [buildTool]: '' });
    expect(whyNotReinstall(root)).toBeUndefined();
  });

  test('is everything a release does', () => {
    installed({ hono });
    write({ 'package-lock.json': lockfile({ hono, vite }) });
    expect(whyNotReinstall(root)).toContain('A release');
  });

  test('needs no sources if it has a build', () => {
    write({ 'build/server/index.js': '', 'build/.built-from': 'elsewhere', 'package-lock.json': '{}' });
    expect(whyBuild(root)).toBeUndefined();
  });
});

describe('build of the screens', () => {
  test('is not awaited by a test run of calls, tables or rules alone', () => {
    expect(testsNeedBuild(['test/api/exams.test.ts', '-t', '归档'])).toBe(false);
    expect(testsNeedBuild(['test/lib', 'test/db/table-types.test.ts', '-u'])).toBe(false);
    expect(testsNeedBuild(['test/api/exams.test.ts', 'test/pages/exams.test.ts'])).toBe(true);
    expect(testsNeedBuild(['--project', 'browser'])).toBe(true);
    expect(testsNeedBuild([])).toBe(true);
  });

  beforeEach(() => {
    write({
      'package-lock.json': '{}',
      'app/root.tsx': "import { Homework } from '#server/homework/contract.ts';",
      'app/api/process.server.ts': "import { createApi } from '#server/api.ts';",
      'app/ui/parts.vite.ts': 'a part of the build',
      'server/api.ts': 'export const createApi = 1;',
      'server/homework/contract.ts': "import { tenths } from './tenths.ts';",
      'server/homework/tenths.ts': 'export const tenths = 10;',
      'server/homework/recall.ts': 'export const recall = 1;',
      'build/server/index.js': '',
    });
    write({ 'build/.built-from': hashOfBuildSources(root) });
  });

  test.each(['server/homework/recall.ts', 'server/api.ts'])(
    'is skipped when %s changes, which it does not bundle',
    (name) => {
      write({ [name]: 'export const changed = 1;' });
      expect(whyBuild(root)).toBeUndefined();
    },
  );

  test.each([
    'app/root.tsx',
    'app/new.tsx',
    'app/ui/parts.vite.ts',
    'package-lock.json',
    'vite.config.ts',
    'public/logo.svg',
  ])('is needed when %s changes', (name) => {
    write({ [name]: 'changed' });
    expect(whyBuild(root)).toBe('their sources have changed');
  });

  test("is needed after a change of a contract's import", () => {
    write({ 'server/homework/tenths.ts': 'export const changed = 1;' });
    expect(whyBuild(root)).toBe('their sources have changed');
  });

  test('is needed when a file or the build is missing', () => {
    rmSync(join(root, 'app/ui/parts.vite.ts'));
    expect(whyBuild(root)).toBe('their sources have changed');
    rmSync(join(root, 'build'), { recursive: true });
    expect(whyBuild(root)).toBe('there is no build yet');
  });
});

describe('build beside a running server', () => {
  const filesOf = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  const build = (...assets: string[]) => {
    // Older than any existing file.
    for (const name of filesOf('build')) utimesSync(join(root, 'build', name), 1, 1);
    const began = Date.now();
    write(Object.fromEntries(['server/index.js', ...assets].map((name) => [`build/${name}`, 'built'])));
    keepPreviousBuild(root, began);
  };

  test("keeps the previous build's files, and no older ones", () => {
    write({ 'build/.built-from': '' });
    build('client/assets/base-1.js', 'client/assets/same-1.js');
    build('client/assets/base-2.js', 'client/assets/same-1.js');
    expect(filesOf('build/client/assets').sort()).toEqual(['base-1.js', 'base-2.js', 'same-1.js']);
    build('client/assets/base-3.js', 'client/assets/same-1.js');
    expect(filesOf('build/client/assets').sort()).toEqual(['base-2.js', 'base-3.js', 'same-1.js']);
    expect(builtFiles(root)?.sort()).toEqual(['client/assets/base-3.js', 'client/assets/same-1.js', 'server/index.js']);
  });
});

describe('command lock', () => {
  const silent = () => {};

  test('admits one at a time', async () => {
    let inside = 0;
    let most = 0;
    const task = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await pauseFor(20);
      inside -= 1;
    };
    await Promise.all([1, 2, 3, 4].map(() => withLock(join(root, 'lock'), task, silent)));
    expect(most).toBe(1);
    expect(readdirSync(root)).toEqual([]);
  });

  test('is free after a failed task', async () => {
    const failing = withLock(join(root, 'lock'), () => Promise.reject(new Error('no network')), silent);
    await expect(failing).rejects.toThrow('no network');
    expect(await withLock(join(root, 'lock'), async () => 'in', silent)).toBe('in');
  });

  test('of a dead process is broken by one of all waiters', async () => {
    write({ [`lock/4194304@${hostname()}@crashed`]: '' });
    const order: string[] = [];
    const task = (name: string) => async () => {
      order.push(name);
      await pauseFor(20);
      order.push(name);
    };
    await Promise.all(['a', 'b', 'c'].map((name) => withLock(join(root, 'lock'), task(name), silent)));
    expect(order).toHaveLength(6);
    for (const turn of [0, 2, 4]) expect(order[turn]).toBe(order[turn + 1]);
  });

  test('of another machine is broken after a minute of silence', async () => {
    const file = 'lock/1@another-machine@id';
    write({ [file]: '' });
    const waiting: string[] = [];
    const entered = withLock(
      join(root, 'lock'),
      async () => 'in',
      (message) => waiting.push(message),
    );
    // The lock's file is recent, so nobody else enters within half a second.
    expect(await Promise.race([entered, pauseFor(500)])).toBeUndefined();
    const aMinuteAgo = new Date(Date.now() - 61_000);
    utimesSync(join(root, file), aMinuteAgo, aMinuteAgo);
    expect(await entered).toBe('in');
    expect(waiting).toHaveLength(1);
  });
});

test('a taken port is skipped', async () => {
  const server = createServer().listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const found = await freePort(address.port);
  server.close();
  expect(found).toBeGreaterThan(address.port);
  expect(found).toBeLessThan(address.port + 100);
});
