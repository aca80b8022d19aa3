import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration } from '#server/platform/configuration/read.mjs';
import { exchange, postOf } from '../support/exchange.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { freePort } from '../support/ports.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const wrongSettings = 78;

describeEngines('server shutdown', (engine) => {
  let database: TestDatabase | undefined;
  let server: RunningServer;

  beforeAll(async () => {
    if (engine === 'PostgreSQL') database = await createDatabase();
    server = await startServer({ DEMO: '0', ...(database ? { DATABASE_URL: database.url } : {}) });
  });
  afterAll(async () => {
    await server.stop();
    await database?.drop();
  });

  it('answers pending requests, closes open ones, and exits with 0 soon', async () => {
    // A connection that is kept open for a second request, which never comes.
    const kept = exchange(server.base, 'GET /healthz HTTP/1.1\r\nHost: school\r\n\r\n');
    await kept.begun;
    const posts = Array.from({ length: 30 }, () => exchange(server.base, postOf('/api/auth/login', {})));
    await Promise.all(posts.map(({ sent }) => sent));
    const { code, took } = await server.end('SIGTERM');
    const answers = await Promise.all(posts.map(({ whole }) => whole));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(30).fill('HTTP/1.1 422'));
    expect(await kept.whole).toMatch(/^HTTP\/1.1 200/);
    expect(code).toBe(0);
    // The shutdown takes three seconds at most, but more on a busy machine.
    expect(took).toBeLessThan(10_000);
  });
});

describe('npm start', () => {
  // A terminal that is closed sends SIGHUP.
  it.each(['SIGTERM', 'SIGHUP'] as const)('forwards %s and exits like its server', async (signal) => {
    const varDir = mkdtempSync(path.join(tmpdir(), 'started-'));
    const port = await freePort();
    const child = spawn(process.execPath, ['server/platform/commands/start.mjs'], {
      env: { ...process.env, DATABASE_URL: '', VAR_DIR: varDir, PORT: String(port), DEMO: '0' },
      stdio: 'ignore',
    });
    try {
      const isUp = () =>
        fetch(`http://localhost:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (child.exitCode === null && !(await isUp())) await wait(50);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      expect(await ended).toBe(0);
    } finally {
      child.kill('SIGKILL');
      rmSync(varDir, { recursive: true, force: true });
    }
  });
});

it('an unusable data folder exits with 78 and a message', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'folder-'));
  const file = path.join(folder, 'a-file');
  writeFileSync(file, '');
  const started = startServer({ VAR_DIR: file, DEMO: '0' });
  await expect(started).rejects.toThrow(
    `the server ended with ${wrongSettings}: VAR_DIR names ${file}, which is no folder that can be written (EEXIST).\n`,
  );
  rmSync(folder, { recursive: true });
});

describe('uncaught error', () => {
  it.each([
    ['an exception', "setTimeout(() => { throw new Error('broken on purpose'); }, 100)"],
    ['a rejection', "setTimeout(() => void Promise.reject(new Error('broken on purpose')), 100)"],
  ])('of %s is logged with its request; running requests finish, and the exit code is 1', async (_, fault) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'faulty-'));
    const preload = path.join(folder, 'fault.mjs');
    writeFileSync(
      preload,
      `import { subscribe } from 'node:diagnostics_channel';
       subscribe('http.server.request.start', ({ request, server }) => {
         if (request.url === '/login?broken') server.prependOnceListener('request', () => ${fault});
       });`,
    );
    const server = await startServer({ NODE_OPTIONS: `--import=${preload}` });
    try {
      const others = Array.from({ length: 5 }, () => fetch(`${server.base}/login`));
      await fetch(`${server.base}/login?broken`, { headers: { 'x-request-id': 'the-broken-one' } });
      const { code } = await server.end();
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(code).toBe(1);
      const line = server
        .printed()
        .split('\n')
        .find((text) => text.includes('broken on purpose'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        level: 'fatal',
        requestId: 'the-broken-one',
        method: 'GET',
      });
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('load balancer request', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ DEMO: '0' });
  });
  afterAll(() => server.stop());

  it.each(['/healthz', '/readyz', '/login'])('without Host is answered: %s', async (address) => {
    expect(await exchange(server.base, `GET ${address} HTTP/1.0\r\n\r\n`).whole).toMatch(/^HTTP\/1.1 200/);
  });

  it.each(['a host', 'school:port', '/', '[::1'])('with Host %s is answered', async (host) => {
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(server.base, request).whole).toMatch(/^HTTP\/1.1 200/);
  });

  it('with an absolute address is answered', async () => {
    const request = 'GET http://school.test/healthz HTTP/1.1\r\nHost: school.test\r\nConnection: close\r\n\r\n';
    expect(await exchange(server.base, request).whole).toMatch(/^HTTP\/1.1 200/);
  });
});

const faultsOf = (address: string) => readConfiguration({ DATABASE_URL: address }).faults;

describe('invalid DATABASE_URL', () => {
  const address = 'mysql://root:hush@localhost/school';

  it.each([
    [address],
    ['localhost/school'],
    ['./school.db'],
    ['sqlite:school.db'],
    ['postgres:school'],
    ['postgres://li:hu#sh@localhost/school'],
    ['postgres://localhost:port/school'],
  ])('is reported without its password: %s', (told) => {
    expect(faultsOf(told)).toEqual([expect.stringMatching(/^DATABASE_URL (?!.*hu.?sh).+$/)]);
  });

  it.each([
    ['postgres://li@localhost/school'],
    ['postgresql://li:a%23b@10.0.0.7:5433/school?sslmode=require'],
    ['postgres:///school?host=/var/run/postgresql'],
  ])('is not reported for %s', (told) => {
    expect(faultsOf(told)).toEqual([]);
  });

  const started = async (args: string[]) => {
    const varDir = path.join(mkdtempSync(path.join(tmpdir(), 'refused-')), 'var');
    const env = { ...process.env, DATABASE_URL: address, VAR_DIR: varDir, PORT: String(await freePort()) };
    const before = readdirSync('.');
    const ended = await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 }).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    );
    // A concurrent run may build the release in its own folder (.ci/run).
    const isNew = (name: string) => !before.includes(name) && name !== 'release';
    const made = existsSync(varDir) || readdirSync('.').some(isNew);
    rmSync(path.dirname(varDir), { recursive: true, force: true });
    return { code: ended.code, said: ended.stderr, made };
  };

  it.each([
    ['start.mjs'],
    ['run.mjs', 'server/main.ts'],
    ['run.mjs', 'server/account/staff-command.ts', 'list'],
    ['run.mjs', 'server/demo/command.ts'],
  ])('exits from start and every command without side effects: %s %s', async (command, ...args) => {
    const { code, said, made } = await started([`server/platform/commands/${command}`, ...args]);
    expect([code, made]).toEqual([wrongSettings, false]);
    expect(said).toBe(`${faultsOf(address)[0]}.\n`);
  });
});
