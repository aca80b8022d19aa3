import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDemoFolder } from '../support/demo-school.ts';
import { freePort } from '../support/ports.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

const signIn = (base: string) =>
  fetch(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'teacher', password: 'Teach2026' }),
    headers: { origin: base },
    redirect: 'manual',
  });

describe('running product', () => {
  /** Server shared by tests without special settings. */
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => server?.stop());

  it('creates its data folder, keeps the secret private, and survives a restart', async () => {
    expect(statSync(path.join(server.varDir, 'session-secret')).mode & 0o777).toBe(0o600);
    expect(await (await fetch(`${server.base}/login`)).text()).toMatch(
      /teacher[\s\S]*Teach2026[\s\S]*assist[\s\S]*Assist2026/,
    );
    const answer = await signIn(server.base);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] as string;
    expect(answer.status).toBe(302);
    const second = await startServer({ VAR_DIR: server.varDir });
    const list = await fetch(`${second.base}/homework`, { headers: { cookie }, redirect: 'manual' });
    expect(list.status).toBe(200);
    await second.stop();
  });

  it('compresses pages for clients that accept it', async () => {
    const codingOf = (address: string, takes: string) =>
      new Promise<string | undefined>((resolve, reject) => {
        const headers = { accept: 'text/html', 'accept-encoding': takes };
        const asked = http.get(`${server.base}${address}`, { headers }, (answer) => {
          answer.resume();
          answer.once('end', () => resolve(answer.headers['content-encoding']));
        });
        asked.once('error', reject);
      });
    for (const takes of ['gzip', 'gzip, deflate', 'deflate, GZIP', 'br;q=0, *', 'gzip;q=0.5'])
      expect([takes, await codingOf('/login', takes)]).toEqual([takes, 'gzip']);
    for (const takes of ['identity', 'gzip;q=0'])
      expect([takes, await codingOf('/login', takes)]).toEqual([takes, undefined]);
    expect(await codingOf('/api/docs', 'gzip, deflate')).toBe('gzip');
  });

  it('sends whole pages with length and all cookies', async () => {
    const cookie = (await signIn(server.base)).headers.getSetCookie()[0]?.split(';')[0] as string;
    // The server remembers the tab that was shown last.
    const headers = { cookie, accept: 'text/html' };
    const page = await fetch(`${server.base}/homework?tab=main`, { headers });
    expect(page.status).toBe(200);
    expect(page.headers.getSetCookie()).toEqual([expect.stringMatching(/^homework_tab=/)]);
    expect(Number(page.headers.get('content-length'))).toBeGreaterThan(1000);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(await page.text()).toMatch(/^<!DOCTYPE html>[\s\S]*作业列表[\s\S]*<\/html>$/);
    const missing = await fetch(`${server.base}/homework/nowhere`, { headers });
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('您访问的页面不存在')]);
  });

  it('compresses scripts and styles, cached for a year', async () => {
    const fileAs = (address: string, takes: string) =>
      new Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
        const asked = http.get(`${server.base}${address}`, { headers: { 'accept-encoding': takes } }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.once('end', () => resolve({ headers: answer.headers, body: Buffer.concat(parts) }));
        });
        asked.once('error', reject);
      });
    const html = await (await fetch(`${server.base}/login`)).text();
    const [, address = ''] = /href="(\/static\/assets\/[^"#]+\.css)/.exec(html) ?? [];
    const plain = await fileAs(address, 'identity');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const [takes, coding, expand] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const small = await fileAs(address, takes);
      expect(small.headers).toMatchObject({
        'content-encoding': coding,
        'content-type': plain.headers['content-type'],
        'cache-control': plain.headers['cache-control'],
      });
      expect(small.headers.vary?.toLowerCase()).toContain('accept-encoding');
      expect(expand(small.body).equals(plain.body)).toBe(true);
      expect(small.body.length).toBeLessThan(plain.body.length / 2);
    }
  });

  it('answers 404 for missing files at once', async () => {
    const cookie = (await signIn(server.base)).headers.getSetCookie()[0]?.split(';')[0] as string;
    const askers: Record<string, string>[] = [{}, { cookie, accept: 'text/html' }];
    for (const headers of askers) {
      for (const address of [
        'assets/nothing.css',
        'assets/nothing.js?of=before',
        'assets/',
        '%00',
        '..%2f..%2fREADME.md',
        'assets/%zz.js',
      ]) {
        const missing = await fetch(`${server.base}/static/${address}`, { headers, redirect: 'manual' });
        const { status, headers: said } = missing;
        expect([address, status, said.get('content-type'), said.get('cache-control')]).toEqual([
          address,
          404,
          'text/plain; charset=utf-8',
          'no-store',
        ]);
        expect(await missing.text()).toBe('文件不存在');
      }
    }
  });

  it('sets security headers, and a reason per status', async () => {
    const askStatus = (method: string, address: string) =>
      new Promise<unknown[]>((resolve, reject) => {
        const headers = { accept: 'text/html', origin: server.base };
        const request = http.request(`${server.base}${address}`, { method, headers }, (answer) => {
          answer.resume();
          answer.once('end', () => resolve([answer.statusCode, answer.statusMessage, answer.headers.allow]));
        });
        request.once('error', reject).end();
      });
    for (const address of ['/homework', '/login', '/nowhere', '/icon.svg']) {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE'])
        expect(await askStatus(method, address)).toEqual([405, 'Method Not Allowed', 'GET, HEAD, POST']);
      expect(await askStatus('OPTIONS', address)).toEqual([204, 'No Content', 'GET, HEAD, POST']);
    }
    for (const method of ['TRACE', 'PROPFIND', 'PATCH', 'PUT']) {
      expect(await askStatus(method, '/api/docs')).toEqual([405, 'Method Not Allowed', 'GET, HEAD']);
      expect(await askStatus(method, '/api/lector/hw/publish')).toEqual([405, 'Method Not Allowed', 'POST']);
    }
    expect(await askStatus('OPTIONS', '/api/docs')).toEqual([204, 'No Content', 'GET, HEAD']);
    expect(await askStatus('PROPFIND', '/login')).toEqual([405, 'Method Not Allowed', 'GET, HEAD, POST']);
    expect(await askStatus('GET', '/login')).toEqual([200, 'OK', undefined]);
    expect(await askStatus('HEAD', '/nowhere')).toEqual([404, 'Not Found', undefined]);
    expect(await askStatus('GET', '/api/lector/hw/index')).toEqual([401, 'Unauthorized', undefined]);
    expect(await askStatus('GET', '/homework')).toEqual([302, 'Found', undefined]);
  });

  it('serves learner calls before the router, and all others through it', async () => {
    // The first request opens the API.
    await fetch(`${server.base}/login`);
    const headersOf = async (address: string) => (await fetch(`${server.base}${address}`)).headers;
    // The middleware of the router sets this header.
    expect((await headersOf('/api/lector/hw/index')).get('x-frame-options')).toBe('DENY');
    const direct = await headersOf('/api/app/exams');
    expect([direct.get('x-frame-options'), direct.get('content-type')]).toEqual([
      null,
      'application/json; charset=utf-8',
    ]);
  });

  it('refuses HTTP/1.1 without Host, and serves HTTP/1.0', async () => {
    const firstLine = (sent: string) =>
      new Promise<string | undefined>((resolve, reject) => {
        let said = '';
        const { port } = new URL(server.base);
        const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(sent));
        socket.on('data', (bytes) => {
          said += bytes;
        });
        socket.once('error', reject).once('close', () => resolve(said.split('\r\n')[0]));
      });
    const requestText = (version: string, more = '') =>
      `GET /login HTTP/${version}\r\n${more}connection: close\r\n\r\n`;
    expect(await firstLine(requestText('1.1'))).toBe('HTTP/1.1 400 Bad Request');
    expect(await firstLine(requestText('1.1', 'host: school.test\r\n'))).toBe('HTTP/1.1 200 OK');
    expect(await firstLine(requestText('1.0'))).toBe('HTTP/1.1 200 OK');
  });

  it('refuses excess, and serves a long address', async () => {
    const cookie = (await signIn(server.base)).headers.getSetCookie()[0]?.split(';')[0] as string;
    const large = 'x'.repeat(2 * 1024 * 1024);
    const body = new URLSearchParams({ ending_time: large });
    const form = await fetch(`${server.base}/homework/1/deadline`, {
      method: 'POST',
      body,
      headers: { cookie, origin: server.base },
    });
    expect(form.status).toBe(413);
    const call = await fetch(`${server.base}/api/lector/hw/correct`, {
      method: 'POST',
      body: JSON.stringify({ name: large }),
      headers: { 'content-type': 'application/json' },
    });
    expect(call.status).toBe(413);
    expect(
      (await fetch(`${server.base}/homework?name=${encodeURIComponent('长'.repeat(3_500))}`, { headers: { cookie } }))
        .status,
    ).toBe(200);
  });

  // Must be the last test: afterwards the server blocks sign-ins from this address.
  it('counts failed sign-ins by socket address despite headers', async () => {
    const attempt = (address: string) =>
      fetch(`${server.base}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-client-address': address, 'x-forwarded-for': address },
        body: JSON.stringify({ username: 'teacher', password: 'wrong' }),
      }).then(({ status }) => status);
    const statuses: number[] = [];
    for (let number = 0; number < 11; number += 1) statuses.push(await attempt(`10.1.1.${number}`));
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

describe('first start', () => {
  it('replaces an empty secret, and refuses a short one', async () => {
    const varDir = mkdtempSync(path.join(tmpdir(), 'secret-'));
    await copyDemoFolder(varDir);
    const file = path.join(varDir, 'session-secret');
    writeFileSync(file, '');
    const server = await startServer({ VAR_DIR: varDir });
    try {
      expect((await signIn(server.base)).status).toBe(302);
      expect(readFileSync(file, 'utf8').length).toBeGreaterThan(40);
      expect(readdirSync(varDir).filter((name) => name.startsWith('session-secret'))).toEqual(['session-secret']);
    } finally {
      await server.stop();
    }
    writeFileSync(file, 'short');
    await expect(startServer({ VAR_DIR: varDir })).rejects.toThrow(/ended with 78: .*session-secret is too short/);
    rmSync(varDir, { recursive: true, force: true });
  });

  it('is empty with DEMO=0, without demo accounts', async () => {
    const server = await startServer({ DEMO: '0' });
    try {
      expect(await (await fetch(`${server.base}/login`)).text()).not.toContain('Teach2026');
      expect((await signIn(server.base)).status).toBe(401);
    } finally {
      await server.stop();
    }
  });
});

describe('separate API server', () => {
  it("serves another process's screens over HTTP", async () => {
    const varDir = mkdtempSync(path.join(tmpdir(), 'api-'));
    await copyDemoFolder(varDir);
    const port = await freePort();
    const api = spawn(process.execPath, ['server/main.ts'], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        VAR_DIR: varDir,
        PORT: String(port),
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const base = `http://localhost:${port}`;
    for (let tries = 0; tries < 200; tries += 1) {
      if (
        await fetch(`${base}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      await wait(50);
    }
    const screens = await startServer({ API_BASE_URL: base });
    try {
      expect((await fetch(`${base}/homework`)).status).toBe(404);
      const cookie = (await signIn(screens.base)).headers.getSetCookie()[0]?.split(';')[0] as string;
      const list = await (await fetch(`${screens.base}/homework?tab=main`, { headers: { cookie } })).text();
      expect(list.match(/<tr/g)?.length).toBe(21);
      expect((await fetch(`${screens.base}/api/docs`)).status).toBe(200);
      api.kill('SIGTERM');
      await new Promise((resolve) => api.once('exit', resolve));
      const away = await fetch(`${screens.base}/homework?tab=main`, { headers: { cookie } });
      expect([away.status, (await away.text()).includes('服务暂时不可用')]).toEqual([503, true]);
    } finally {
      api.kill('SIGKILL');
      await screens.stop();
      rmSync(varDir, { recursive: true, force: true });
    }
  });
});
