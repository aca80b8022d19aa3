import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/running-server.ts';

const megabyte = 1024 * 1024;

describe('oversized request body', () => {
  let server: RunningServer;
  let cookie: string;
  let token: string;

  beforeAll(async () => {
    server = await startServer({ LOG_LEVEL: 'fatal' });
    const credentials = { username: 'teacher', password: 'Teach2026' };
    const signedIn = await fetch(`${server.base}/login`, {
      method: 'POST',
      body: new URLSearchParams(credentials),
      headers: { origin: server.base },
      redirect: 'manual',
    });
    cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] as string;
    const answer = await fetch(`${server.base}/api/auth/login`, {
      method: 'POST',
      body: JSON.stringify(credentials),
      headers: { 'content-type': 'application/json' },
    });
    token = ((await answer.json()) as { data: { token: string } }).data.token;
    for (let tries = 0; tries < 30; tries += 1) await list();
  });
  afterAll(() => server.stop());

  const list = async () => {
    const page = await fetch(`${server.base}/homework?tab=main`, { headers: { cookie } });
    await page.text();
    return page.status;
  };
  /** Returns the resident memory of the server in megabytes. */
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

  /** Sends pieces one after the other, until all are sent, a response arrives, or the connection is closed. */
  const send = (
    path: string,
    { pieces, piece, headers = {} }: { pieces: number; piece: Buffer; headers?: Record<string, string> },
  ) =>
    new Promise<{ status: number; html: string; sent: number }>((resolve, reject) => {
      let sent = 0;
      let answered: IncomingMessage | undefined;
      const asking = request(`${server.base}${path}`, {
        method: 'POST',
        headers: { origin: server.base, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
      asking.on('error', (error) => (answered ? undefined : reject(error)));
      asking.on('response', (response) => {
        answered = response;
        let html = '';
        response.setEncoding('utf8').on('data', (text) => {
          html += text;
        });
        response.on('end', () => {
          asking.destroy();
          resolve({ status: response.statusCode ?? 0, html, sent });
        });
        response.on('error', reject);
      });
      const next = () => {
        if (answered || asking.destroyed) return;
        if (sent === pieces * piece.length) asking.end();
        else {
          sent += piece.length;
          // Checks for a response between two pieces, as senders do that do not wait for the end of their own sending.
          const goOn = () => setImmediate(next);
          if (asking.write(piece)) goOn();
          else asking.once('drain', goOn);
        }
      };
      next();
    });

  const pairs = Buffer.from('a&'.repeat(32 * 1024));
  const field = Buffer.concat([
    Buffer.from('--part\r\nContent-Disposition: form-data; name="a"\r\n\r\n'),
    Buffer.alloc(megabyte, 'x'),
    Buffer.from('\r\n'),
  ]);

  it.each(['/login', '/appearance', '/homework/1/deadline', '/homework/publish', '/there/is/none'])(
    'answers 413 at %s on reaching the limit, without delaying others',
    async (path) => {
      const before = resident();
      const refused = send(path, { pieces: 16 * 1024, piece: pairs });
      const beside = list();
      const { status, html, sent } = await refused;
      expect([status, html.includes('提交的内容过大')]).toEqual([413, true]);
      expect(sent).toBeLessThan(64 * megabyte);
      expect(html.length).toBeLessThan(20_000);
      expect(await beside).toBe(200);
      expect(resident() - before).toBeLessThan(40);
    },
  );

  it.each([
    ['said beforehand', 3 * megabyte],
    ['within the limit, but of more fields than a form has', megabyte],
  ])('is refused when its length is %s', async (_, length) => {
    const headers = { 'content-length': String(length), cookie };
    const { status, html } = await send('/homework/1/deadline', {
      pieces: length / pairs.length,
      piece: pairs,
      headers,
    });
    expect([status, html.length < 20_000]).toEqual([413, true]);
  });

  it('is not read much longer after the answer', async () => {
    const { port } = new URL(server.base);
    const { connect } = await import('node:net');
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    let sent = 0;
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write(
      `POST /login HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${server.base}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${1024 * megabyte}\r\n\r\n`,
    );
    while (!socket.destroyed && sent < 512 * megabyte) {
      sent += pairs.length;
      if (!socket.write(pairs)) await Promise.race([new Promise((drained) => socket.once('drain', drained)), closed]);
      await wait(0);
    }
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 413/);
    expect(sent).toBeLessThan(100 * megabyte);
  });

  it('takes files only where expected, and only when signed in', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=part' };
    const sending = { pieces: 200, piece: field, headers };
    const before = resident();
    expect((await send('/login', sending)).status).toBe(415);
    expect((await send('/there/is/none', { ...sending, headers: { ...headers, cookie } })).status).toBe(415);
    expect((await send('/homework/question/add', sending)).status).toBe(401);
    expect(resident() - before).toBeLessThan(40);
  });

  it.each(['/homework/question/add', '/files'])('counts all fields of a form with files: %s', async (path) => {
    const before = resident();
    const headers = { 'content-type': 'multipart/form-data; boundary=part', cookie };
    const { status, sent } = await send(path, { pieces: 200, piece: field, headers });
    expect(status).toBe(413);
    expect(sent).toBeLessThan(100 * megabyte);
    expect(resident() - before).toBeLessThan(40);
  });

  it('has the same limits at the API', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    for (const path of ['/api/lector/hw/correct', '/api/auth/login', '/api/app/leave']) {
      const { status, sent } = await send(path, { pieces: 16 * 1024, piece: pairs, headers });
      expect([path, status]).toEqual([path, 413]);
      expect(sent).toBeLessThan(32 * megabyte);
    }
  });
});
