/** The headers promised in SECURITY.md, and the browser reports they lead to, on a started server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '127.0.0.1 ::1', LOG_LEVEL: 'info' });
});
afterAll(async () => server?.stop());

const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'school.test' };

const signIn = (headers: Record<string, string>, origin: string) =>
  fetch(`${server.base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'teacher', password: 'Teach2026' }),
    headers: { ...headers, origin },
    redirect: 'manual',
  });

/** The smallest PNG. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function storedPicture(): Promise<Response> {
  const [cookie = ''] = (await signIn({}, server.base)).headers.getSetCookie()[0]?.split(';') ?? [];
  const body = new FormData();
  body.set('file', new File([picture], '图.png', { type: 'image/png' }));
  const headers = { cookie, origin: server.base };
  const kept = await fetch(`${server.base}/files`, { method: 'POST', body, headers });
  const { path: address } = (await kept.json()) as { path: string };
  return fetch(`${server.base}${address}`, { headers: { cookie } });
}

const page = (headers: Record<string, string>) =>
  fetch(`${server.base}/login`, { headers: { accept: 'text/html', ...headers } });

const answers: Record<string, () => Promise<Response>> = {
  every: () => fetch(`${server.base}/icon.svg`),
  'every, by https': () => fetch(`${server.base}/icon.svg`, { headers: https }),
  page: () => page({}),
  'page, by https': () => page(https),
  'sign-in': () => signIn({}, server.base),
  'sign-in, by https': () => signIn(https, 'https://school.test'),
  'stored picture': storedPicture,
  call: () => fetch(`${server.base}/api/lector/hw/index`),
};

const document = readFileSync(path.resolve(import.meta.dirname, '../../SECURITY.md'), 'utf8');
const promised = [...document.matchAll(/^\| ([^|]+) \| `([\w-]+)` \| `(.+)` \|$/gm)].map(
  ([, answer = '', header = '', value = '']) => ({ answer, header, value }),
);

/** Removes values that differ in every answer. */
const saidBy = (response: Response, header: string) =>
  response.headers
    .get(header)
    ?.replace(/nonce-[^']+/, 'nonce-NONCE')
    .replace(/^session=[^;]+; /, '');

describe('the headers promised in SECURITY.md', () => {
  it('are promised for every kind of answer tested here', () => {
    expect(new Set(promised.map(({ answer }) => answer))).toEqual(new Set(Object.keys(answers)));
  });

  it.each(promised)('are sent: $answer: $header', async ({ answer, header, value }) => {
    const response = await answers[answer]?.();
    expect(response && saidBy(response, header)).toBe(value);
  });

  it('include none for https on plain http, whatever the client claims', async () => {
    for (const response of [await page({}), await page({ 'x-forwarded-proto': 'http' })]) {
      expect(response.headers.get('strict-transport-security')).toBeNull();
      expect(response.headers.get('reporting-endpoints')).toBeNull();
    }
  });
});

describe('a browser’s policy report', () => {
  const report = (body: unknown, type = 'application/csp-report') =>
    fetch(`${server.base}/api/policy-reports`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': type },
    }).then(({ status }) => status);
  const logged = () =>
    server
      .printed()
      .split('\n')
      .filter((line) => line.includes('content security policy'))
      .map((line) => JSON.parse(line));

  it('is logged once per kind, in old and new format, without personal data', async () => {
    const older = {
      'csp-report': {
        'document-uri': `${server.base}/classes/12/students?name=%E6%9D%8E%E5%BC%BA`,
        referrer: `${server.base}/students?mobile=13800000000`,
        'effective-directive': 'img-src',
        'blocked-uri': 'https://pictures.test/pixel?uid=77',
        'script-sample': '13800000000',
      },
    };
    for (let count = 0; count < 3; count += 1) expect(await report(older)).toBe(204);
    const newer = {
      type: 'csp-violation',
      age: 1,
      url: `${server.base}/homework`,
      user_agent: 'Chrome/109',
      body: {
        documentURL: `${server.base}/setup/kD93bXqP`,
        effectiveDirective: 'script-src-elem',
        blockedURL: 'chrome-extension://abcdef/inject.js',
        sourceFile: `${server.base}/static/assets/grading-x1.js`,
        lineNumber: 7,
        sample: 'alert(13800000000)',
      },
    };
    expect(await report([newer, { type: 'deprecation', body: {} }], 'application/reports+json')).toBe(204);
    await expect.poll(() => logged().length).toBe(2);
    expect(logged()).toMatchObject([
      { directive: 'img-src', blocked: 'https://pictures.test', page: '/classes/*/students', count: 1 },
      {
        directive: 'script-src-elem',
        blocked: 'chrome-extension',
        page: '/setup/*',
        source: '/static/assets/grading-x1.js:7',
      },
    ]);
    expect(JSON.stringify(logged())).not.toMatch(/1380000|uid|李强|%E6|alert|kD93|Chrome/);
  });

  it('is refused if it is malformed, too large or too frequent', async () => {
    expect(await report({ anything: 1 })).toBe(400);
    expect(await report({ 'csp-report': { 'document-uri': 'x'.repeat(70_000) } })).toBe(413);
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) statuses.push(await report({}));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('scripts and stylesheets', () => {
  const sheet = async (accepted: string) => {
    const html = await (await page({})).text();
    const address = /\/static\/assets\/styles-[\w-]+\.css/.exec(html)?.[0] ?? '';
    const answer = await fetch(`${server.base}${address}`, { headers: { 'accept-encoding': accepted } });
    const { headers } = answer;
    return {
      coding: headers.get('content-encoding'),
      type: headers.get('content-type'),
      vary: headers.get('vary'),
      cache: headers.get('cache-control'),
      text: await answer.text(),
    };
  };

  it('come as the build compressed them, in another form for clients that do not take Brotli', async () => {
    const [brotli, gzip, refused] = [await sheet('gzip, br'), await sheet('gzip'), await sheet('br;q=0')];
    expect([brotli.coding, gzip.coding, refused.coding]).toEqual(['br', 'gzip', null]);
    for (const { type, vary, cache, text } of [brotli, gzip, refused]) {
      expect([type, vary]).toEqual(['text/css; charset=utf-8', 'Accept-Encoding']);
      expect(cache).toContain('immutable');
      expect(text).toBe(brotli.text);
    }
    expect(brotli.text).toContain('{');
  });
});

describe('a server with DRAIN_SECONDS', () => {
  it('reports that it is not ready, and answers other requests until it ends', async () => {
    const leaving = await startServer({ DRAIN_SECONDS: '2' });
    const statusOf = (address: string) => fetch(`${leaving.base}${address}`).then(({ status }) => status);
    const ended = leaving.end('SIGTERM');
    await expect.poll(() => statusOf('/readyz'), { interval: 20 }).toBe(503);
    expect([await statusOf('/healthz'), await statusOf('/login')]).toEqual([200, 200]);
    const { code, took } = await ended;
    expect([code, took > 2_000]).toEqual([0, true]);
  });
});
