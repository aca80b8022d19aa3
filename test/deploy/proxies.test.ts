/** @module-tag thorough */
/** Our samples for nginx, HAProxy and Caddy in front of two processes on one PostgreSQL, seen from a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { leaveStream } from '#app/attendance/screens.ts';
import { hashPassword } from '#server/platform/auth/password.ts';
import { wallClock } from '#server/school/calendar.ts';
import { freePort } from '../support/ports.ts';
import { missingProxy, type ProxyName, proxyNames, type StartedProxy, startProxy } from '../support/proxies.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const isTried = (name: ProxyName) => inject('postgres') !== undefined && missingProxy(name) === undefined;
const tried = proxyNames.filter(isTried);
const password = 'Teach2026';

let database: TestDatabase | undefined;
let school: TestSchool;
const varDir = mkdtempSync(path.join(tmpdir(), 'two-servers-'));
const servers: RunningServer[] = [];
const proxies = new Map<ProxyName, StartedProxy>();
const ports: number[] = [];

/** Drains for the check interval of the samples, and a second more because nginx has no health checks. */
const serve = (port: number) =>
  startServer({
    PORT: String(port),
    DATABASE_URL: database?.url ?? '',
    DEMO: '0',
    VAR_DIR: varDir,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: '6',
    LOG_LEVEL: 'info',
  });

beforeAll(async () => {
  if (tried.length === 0) return;
  database = await createDatabase();
  if (!database) return;
  school = await openTestSchool('PostgreSQL', database.url, wallClock());
  const { db } = school.database;
  await db
    .updateTable('staff')
    .set({ password_hash: await hashPassword(password) })
    .where('username', '=', 'teacher')
    .execute();
  await db
    .insertInto('class_staff')
    .values({ class_id: school.classes.k1, staff_id: school.people.teacher.id, duty: 'head' })
    .execute();
  ports.push(await freePort(), await freePort());
  for (const port of ports) servers.push(await serve(port));
  for (const name of tried) proxies.set(name, await startProxy(name, ports as [number, number]));
});
afterAll(async () => {
  await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
  await Promise.all(servers.map((server) => server.stop()));
  await school?.close();
  await database?.drop();
  rmSync(varDir, { recursive: true, force: true });
});

interface Told {
  status: number;
  headers: http2.IncomingHttpHeaders;
  body: string;
}

interface Browser {
  origin: string;
  /** A proxy closes a connection after some requests; browsers then open another. */
  isOpen(): boolean;
  ask(address: string, init?: { headers?: Record<string, string>; body?: string | Buffer }): Promise<Told>;
  /** Reads an address until the expected content arrives. */
  listen(
    address: string,
    cookie: string,
    until: RegExp,
  ): Promise<{ heard: string; headers: http2.IncomingHttpHeaders }>;
  close(): void;
}

/** Connects by HTTPS with HTTP/2. `from`: local source address, different from the trusted proxy's. */
async function browse(proxy: StartedProxy, from = '127.0.0.3'): Promise<Browser> {
  const { port, certificate } = proxy;
  const origin = `https://localhost:${port}`;
  const socket = tls.connect({
    socket: net.connect({ host: '127.0.0.1', port, localAddress: from }),
    servername: 'localhost',
    ca: certificate,
    ALPNProtocols: ['h2'],
  });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const session = http2.connect(origin, { createConnection: () => socket });
  // The pending request rejects with the error.
  session.on('error', () => undefined);
  return {
    origin,
    isOpen: () => !session.closed && !session.destroyed,
    ask: (address, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const method = body === undefined ? 'GET' : 'POST';
        const stream = session.request({ ':path': address, ':method': method, ...headers });
        let text = '';
        let answered: http2.IncomingHttpHeaders = {};
        stream.setEncoding('utf8');
        stream.on('response', (said) => {
          answered = said;
        });
        stream.on('data', (part: string) => {
          text += part;
        });
        stream.on('end', () => resolve({ status: Number(answered[':status']), headers: answered, body: text }));
        stream.on('error', reject);
        stream.end(body);
      }),
    listen: (address, cookie, until) =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': address, cookie, accept: 'text/event-stream' });
        let heard = '';
        let headers: http2.IncomingHttpHeaders = {};
        stream.setEncoding('utf8');
        stream.on('response', (said) => {
          headers = said;
        });
        stream.on('data', (part: string) => {
          heard += part;
          if (!until.test(heard)) return;
          resolve({ heard, headers });
          stream.close();
        });
        stream.on('end', () => reject(new Error(`it ended after ${heard}`)));
        stream.on('error', reject);
      }),
    close: () => session.close(),
  };
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

const signIn = ({ ask, origin }: Browser) =>
  ask('/login', { headers: { ...asForm, origin }, body: form({ username: 'teacher', password }) });
const cookieOf = ({ headers }: Told) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

/** An audio file of this size, a type that is stored unchanged. */
function sound(bytes: number): Buffer {
  const wave = Buffer.alloc(bytes);
  wave.write('RIFF', 0);
  wave.writeUInt32LE(bytes - 8, 4);
  wave.write('WAVEfmt ', 8);
  wave.writeUInt32LE(16, 16);
  wave.writeUInt32LE(0x0001_0001, 20);
  wave.writeUInt32LE(8_000, 24);
  wave.writeUInt32LE(8_000, 28);
  wave.writeUInt32LE(0x0008_0001, 32);
  wave.write('data', 36);
  wave.writeUInt32LE(bytes - 44, 40);
  return wave;
}

describe.each(proxyNames)('a browser behind %s', (name) => {
  const lacking = missingProxy(name) ?? (inject('postgres') ? undefined : 'there is no PostgreSQL');
  const tries = lacking === undefined ? it : it.skip;
  const titleOf = (what: string) => (lacking === undefined ? what : `${what} (skipped: ${lacking})`);
  const opened: Browser[] = [];
  const visit = async (from?: string): Promise<Browser> => {
    const browser = await browse(proxies.get(name) as StartedProxy, from);
    opened.push(browser);
    return browser;
  };
  afterAll(() => {
    for (const browser of opened) browser.close();
  });

  tries(titleOf('signs in over https with a Secure cookie, and posts forms from its own origin only'), async () => {
    const browser = await visit();
    const answer = await signIn(browser);
    expect([answer.status, answer.headers.location]).toEqual([302, '/']);
    expect(answer.headers['set-cookie']?.[0]).toContain('Secure');
    expect([answer.headers['strict-transport-security']]).toEqual(['max-age=604800']);
    const cookie = cookieOf(answer);
    const page = await browser.ask(`/homework?name=${encodeURIComponent('长'.repeat(3_000))}`, { headers: { cookie } });
    expect(page.status).toBe(200);
    const elsewhere = await browser.ask('/logout', {
      headers: { ...asForm, cookie, origin: 'https://other.test' },
      body: '',
    });
    expect(elsewhere.status).toBe(403);
    const left = await browser.ask('/logout', {
      headers: { ...asForm, cookie, origin: browser.origin },
      body: form({ everywhere: '' }),
    });
    expect(left.status).toBe(302);
    const signedOut = await browser.ask('/homework', { headers: { cookie } });
    expect(signedOut.status).toBe(302);
  });

  tries(titleOf('is redirected from http to https'), async () => {
    const { plainPort } = proxies.get(name) as StartedProxy;
    const answer = await fetch(`http://localhost:${plainPort}/login`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')?.startsWith('https://localhost')]).toEqual([308, true]);
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  tries(titleOf('uploads 20 MB and reads a range of them'), async () => {
    const browser = await visit();
    const cookie = cookieOf(await signIn(browser));
    const boundary = 'of-the-tests';
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="sound.wav"\r\ncontent-type: audio/wav\r\n\r\n`,
      ),
      sound(20 * 1024 * 1024),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const kept = await browser.ask('/files', {
      headers: { cookie, origin: browser.origin, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    });
    expect(kept.status, kept.body).toBe(200);
    const part = await browser.ask(JSON.parse(kept.body).path, { headers: { cookie, range: 'bytes=0-3' } });
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, 'RIFF', 'bytes 0-3/20971520']);
  });

  tries(titleOf('receives the first event of a stream at once'), async () => {
    const browser = await visit();
    const cookie = cookieOf(await signIn(browser));
    const { heard, headers } = await browser.listen(leaveStream.href({ id: school.classes.k1 }), cookie, /\n\n/);
    expect(headers['content-type']).toContain('text/event-stream');
    expect(heard).toMatch(/^event: leave\n/);
  });

  tries(titleOf('has its password guesses limited by its own address, whatever headers it sends'), async () => {
    const guess = async (browser: Browser, said: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': said, 'x-client-address': said };
      return browser.ask('/api/auth/login', {
        headers,
        body: JSON.stringify({ username: `nobody-${name}`, password: 'x' }),
      });
    };
    const here = await visit();
    const statuses: number[] = [];
    // Each process counts by itself, and allows ten attempts.
    while (statuses.length < 30 && statuses.at(-1) !== 429)
      statuses.push((await guess(here, `10.1.1.${statuses.length}`)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess(await visit('127.0.0.2'), '127.0.0.3')).status).toBe(401);
  });
});

describe('a rolling restart', () => {
  const reason = tried.length > 0 ? '' : ' (skipped: no proxy, or no PostgreSQL)';
  const roll = reason ? it.skip : it;
  roll(
    `of both servers loses no request behind any proxy${reason}`,
    async () => {
      let isOver = false;
      const counted = new Map<string, number>();
      const note = (what: string) => counted.set(what, (counted.get(what) ?? 0) + 1);
      const work = async (name: ProxyName, kind: 'page' | 'form') => {
        let browser = await browse(proxies.get(name) as StartedProxy);
        while (!isOver) {
          if (!browser.isOpen()) browser = await browse(proxies.get(name) as StartedProxy);
          const sent =
            kind === 'page'
              ? browser.ask('/login', { headers: { accept: 'text/html' } })
              : browser.ask('/api/auth/login', { headers: { 'content-type': 'application/json' }, body: '{}' });
          note(`${name} ${kind} ${await sent.then(({ status }) => status, String)}`);
          await wait(10);
        }
        browser.close();
      };
      const working = tried.flatMap((name) => [work(name, 'page'), work(name, 'form'), work(name, 'form')]);
      for (const [number, port] of ports.entries()) {
        expect((await servers[number]?.end('SIGTERM'))?.code).toBe(0);
        servers[number] = await serve(port);
        // Waits until this server works again before the next restart, as an operator would.
        const countRequests = () => servers[number]?.printed().match(/"\/api\/auth\/login"/g)?.length ?? 0;
        await expect.poll(countRequests).toBeGreaterThan(10);
        await wait(number === 0 ? 3_000 : 0);
      }
      isOver = true;
      await Promise.all(working);
      const expected = tried.flatMap((name) => [`${name} form 422`, `${name} page 200`]);
      expect([...counted.keys()].sort()).toEqual(expected.sort());
      console.log([...counted].map(([what, count]) => `${what}: ${count}`).join('\n'));
    },
    180_000,
  );
});
