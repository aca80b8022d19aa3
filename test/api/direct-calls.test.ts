import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, createApi } from '#server/api.ts';
import { addExam } from '../support/exams.ts';
import { learnerOf } from '../support/learner.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';

/** Compares the fast path of learner calls with the general router. */
describe('fast path of learner calls', () => {
  let school: TestSchool;
  let api: Api;
  let server: http.Server;
  let token: string;
  let exam: number;
  const direct: boolean[] = [];

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    api = createApi(school.services);
    server = http.createServer((request, response) => {
      const isDirect = api.direct(request, response);
      direct.push(isDirect);
      if (!isDirect) response.writeHead(418).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const [uid] = school.students.k1 as [number];
    token = (await learnerOf(school, uid)).token;
    const { db } = school.database;
    const { school_id } = await db
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', uid)
      .executeTakeFirstOrThrow();
    exam = (await addExam(db, { creator: school.people.teacher.id, school: school_id })).id;
  });
  afterAll(async () => {
    server.close();
    await school.close();
  });

  interface Asked {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  }

  function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
    const { port } = server.address() as AddressInfo;
    return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const asked = { authorization: `Bearer ${token}`, ...length, ...headers };
      const request = http.request({ port, path, method, agent: false, headers: asked }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Sends the same request to the general router, not to the fast path. */
  const askRouter = (path: string, { method = 'GET', headers = {}, body }: Asked = {}) =>
    school.ask(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body }),
    });

  it.each<[string, string, Asked]>([
    ['a list', '/api/app/exams?limit=2', {}],
    ['with a name twice', '/api/app/exams?limit=1&limit=9', {}],
    ['that is refused', '/api/app/exams?since=no-such-place', {}],
    ['of nothing', '/api/app/exams/987654', {}],
    ['of what is no id', '/api/app/exams/first', {}],
    ['by nobody', '/api/app/exams', { headers: { authorization: 'Bearer learner_none' } }],
    ['without a body', '/api/app/leave', { method: 'POST' }],
    ['what is not JSON', '/api/app/leave', { method: 'POST', body: '{"name":' }],
    ['what does not fit', '/api/app/leave', { method: 'POST', body: '{"reason":"病假 😀"}' }],
    ['too much', '/api/app/session', { method: 'POST', body: JSON.stringify({ number: 'x'.repeat(70_000) }) }],
  ])('answers the same as the router: %s', async (_, path, sent) => {
    const headers = { 'x-request-id': 'abc-123', 'content-type': 'application/json', ...sent.headers };
    const mine = await ask(path, { ...sent, headers });
    const theirs = await askRouter(path, { ...sent, headers });
    expect(direct.pop()).toBe(true);
    expect([mine.status, JSON.parse(String(mine.body))]).toEqual([theirs.status, theirs.body]);
    for (const name of ['content-type', 'cache-control', 'x-request-id', 'etag'])
      expect([name, mine.headers[name] ?? null]).toEqual([name, theirs.headers.get(name)]);
    expect(Number(mine.headers['content-length'])).toBe(mine.body.length);
  });

  it('supports ETag and compression', async () => {
    const started = await ask(`/api/app/exams/${exam}/start`, { method: 'POST', body: '{}' });
    expect(started.status).toBe(200);
    const path = `/api/app/exams/${exam}`;
    const plain = await ask(path);
    const { body, headers } = await ask(path, { headers: { 'accept-encoding': 'gzip' } });
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    expect(body.length).toBeLessThan(plain.body.length);
    expect(JSON.parse(String(gunzipSync(body)))).toEqual(JSON.parse(String(plain.body)));
    const again = await ask(path, { headers: { 'if-none-match': String(plain.headers.etag) } });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, plain.headers.etag]);
  });

  it.each<[string, string, Asked]>([
    ['a file', '/api/app/files/2026/11/picture.png', {}],
    ['a picture that is sent', '/api/app/public/file', { method: 'POST', body: 'x' }],
    ['an address with marks', '/api/app/exams?since=1%2C2', {}],
    ['what is nowhere', '/api/app/nothing', {}],
    ['another method', '/api/app/exams', { method: 'DELETE' }],
    ['a body of unknown length', '/api/app/leave', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }],
  ])('leaves %s to the router', async (_, path, sent) => {
    expect((await ask(path, sent)).status).toBe(418);
    expect(direct.pop()).toBe(false);
  });

  it("shares each token's rate limit with the router", async () => {
    const { token: other } = await learnerOf(school, (school.students.k1 as number[])[1] ?? 0);
    const headers = { authorization: `Bearer ${other}` };
    // The requests are below the limit on each path alone, but above it in sum.
    const each = Array.from({ length: 100 });
    const statuses = await Promise.all([
      ...each.map(() => ask('/api/app/me', { headers })),
      ...each.map(() => api.fetch(new Request('http://school/api/app/me', { headers }))),
    ]);
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  it('stops quietly when the client disconnects', async () => {
    const { port } = server.address() as AddressInfo;
    const gone = http.request({ port, path: '/api/app/leave', method: 'POST', agent: false });
    gone.on('error', () => undefined);
    gone.setHeader('authorization', `Bearer ${token}`);
    gone.setHeader('content-length', 100);
    const closed = new Promise((resolve) => server.once('request', (request) => request.once('close', resolve)));
    gone.write('{"reason":');
    await new Promise((resolve) => server.once('request', resolve));
    gone.destroy();
    await closed;
    expect((await ask('/api/app/me')).status).toBe(200);
  });
});
