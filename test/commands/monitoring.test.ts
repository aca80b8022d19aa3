/** Metrics, log and traces of the running product. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

const token = 'a-token-of-forty-characters-for-the-test';

const signIn = async (base: string, password = 'Teach2026', headers: Record<string, string> = {}) => {
  const answer = await fetch(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'teacher', password }),
    headers: { origin: base, ...headers },
    redirect: 'manual',
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
};

const figures = async (base: string, authorization = `Bearer ${token}`) => {
  const answer = await fetch(`${base}/metrics`, { headers: { authorization } });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

const linesOf = (server: RunningServer): Record<string, unknown>[] =>
  server
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

describe('metrics endpoint', () => {
  let server: RunningServer;
  let ownPort: number;
  let cookie: string;
  beforeAll(async () => {
    ownPort = await freePort();
    server = await startServer({
      LOG_LEVEL: 'info',
      METRICS_TOKEN: token,
      METRICS_PORT: String(ownPort),
      SLOW_REQUEST: '1',
      SLOW_STATEMENT: '0',
    });
    cookie = await signIn(server.base);
  });
  afterAll(async () => server?.stop());

  it('requires the token on either port', async () => {
    for (const base of [server.base, `http://localhost:${ownPort}`]) {
      expect((await figures(base, 'Bearer wrong')).status).toBe(401);
      expect(await figures(base)).toMatchObject({ status: 200, type: expect.stringContaining('text/plain') });
    }
    expect((await fetch(`http://localhost:${ownPort}/homework`)).status).toBe(404);
  });

  it('labels requests by address pattern', async () => {
    for (const address of [
      '/homework?homework_name=秘密',
      '/homework/detail?id=1',
      '/homework/detail?id=2',
      '/nowhere/at/all',
    ])
      await fetch(`${server.base}${address}`, { headers: { cookie, accept: 'text/html' } });
    await fetch(`${server.base}/api/lector/hw/12/unknown`);
    const { text } = await figures(server.base);
    expect(text).toMatch(/lectern_http_requests_total\{route="\/homework",method="GET",status="200"\} 1/);
    expect(text).toMatch(/lectern_http_request_duration_seconds_count\{route="\/homework",method="GET"\} 1/);
    expect(text).not.toMatch(/秘密|%E7%A7%98|nowhere|id=1|hw\/12/);
    expect(text).toMatch(/lectern_database_statement_duration_seconds_count [1-9]/);
    expect(text).toMatch(/lectern_queue_depth\{queue="messages"\} \d/);
    for (const check of ['database', 'storage', 'migrations'])
      expect(text).toContain(`lectern_ready{check="${check}"} 1`);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
    expect(text).toMatch(/process_resident_memory_bytes \d/);
  });

  it('has bounded series after made-up addresses and methods', async () => {
    const series = async () => (await figures(server.base)).text.match(/^lectern_http_requests_total/gm)?.length ?? 0;
    const askUnknown = (n: number) =>
      Promise.all([
        fetch(`${server.base}/made-up-${n}`, { headers: { accept: 'text/html' } }),
        fetch(`${server.base}/api/made-up/${n}`),
        fetch(`${server.base}/made-up-${n}.png`),
        fetch(`${server.base}/homework`, { method: `MADE${'P'.repeat(n)}` }).catch(() => undefined),
      ]);
    await askUnknown(1);
    const before = await series();
    for (let n = 2; n < 8; n += 1) await askUnknown(n);
    expect(await series()).toBe(before);
  });

  it('counts failed sign-ins, with the address in the log', async () => {
    await signIn(server.base, 'Geheim-2026', { 'x-request-id': 'the-guess' });
    expect((await figures(server.base)).text).toContain('lectern_sign_in_failures_total{identity="teacher"} 1');
    expect(linesOf(server).find(({ msg }) => msg === 'sign-in failed')).toMatchObject({
      level: 'warn',
      requestId: 'the-guess',
      identity: 'teacher',
      reason: 'wrong',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
    });
  });

  it('has a log line per request without input or identity', async () => {
    const headers = { cookie, accept: 'text/html', 'x-request-id': 'a-search' };
    await fetch(`${server.base}/homework?homework_name=${encodeURIComponent('张三的秘密')}`, { headers });
    await expect
      .poll(() => linesOf(server).find(({ requestId }) => requestId === 'a-search'))
      .toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        // The request took longer than a millisecond.
        level: 'warn',
        msg: 'slow request',
        person: expect.any(Number),
        identity: 'teacher',
        method: 'GET',
        route: '/homework',
        status: 200,
        ms: expect.any(Number),
        bytes: expect.any(Number),
        statements: expect.any(Number),
        databaseMs: expect.any(Number),
      });
    expect(server.printed()).not.toMatch(/张三|%E5%BC%A0|Geheim|Teach2026|homework_name/);
    // All other lines are the one with the server's address.
    const others = server
      .printed()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));
    expect(others.filter((line) => !/^\[react-router-serve\]/.test(line))).toEqual([]);
  });

  it.each([
    ['form', '/homework/1/deadline', 'application/x-www-form-urlencoded'],
    ['files', '/homework/question/add', 'multipart/form-data; boundary=part'],
    ['call', '/api/lector/hw/publish', 'application/json'],
    ['upload', '/api/lector/courseWare/upload', 'multipart/form-data; boundary=part'],
  ])('reports no error for an aborted upload: %s', async (kind, address, type) => {
    const signedIn = await fetch(`${server.base}/api/auth/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'teacher', password: 'Teach2026' }),
      headers: { 'content-type': 'application/json' },
    });
    const { data } = (await signedIn.json()) as { data: { token: string } };
    const requestId = `broken-off-${kind}`;
    const asking = request(`${server.base}${address}`, {
      method: 'POST',
      headers: {
        origin: server.base,
        cookie,
        authorization: `Bearer ${data.token}`,
        'content-type': type,
        'content-length': 1000,
        'x-request-id': requestId,
      },
    });
    asking.on('error', () => undefined);
    await new Promise((written) => asking.write('--part', written));
    const lines = () => linesOf(server).filter((line) => line.requestId === requestId);
    // The server has received this request once a later one is answered.
    await fetch(`${server.base}/homework`, { headers: { cookie } });
    asking.destroy();
    await expect.poll(lines).not.toEqual([]);
    await fetch(`${server.base}/homework`, { headers: { cookie } });
    expect(lines().map(({ level, status, msg }) => [level, status, msg])).toEqual([
      [expect.stringMatching(/info|warn/), 'aborted', expect.stringMatching('request')],
    ]);
  });
});

describe('server without monitoring', () => {
  it('serves no metrics, and loads neither metrics nor tracing', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'loaded-'));
    const preload = path.join(folder, 'loaded.mjs');
    writeFileSync(
      preload,
      `import { createRequire } from 'node:module';
       const { cache } = createRequire(import.meta.url);
       process.on('exit', () => console.log('loaded ' + Object.keys(cache).filter((file) => /prom-client|opentelemetry/.test(file)).length));`,
    );
    const server = await startServer({ NODE_OPTIONS: `--import=${preload}`, LOG_LEVEL: 'info' });
    try {
      expect((await figures(server.base)).status).toBe(404);
      await server.end('SIGTERM');
      expect(server.printed()).toContain('loaded 0');
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
}

describe('traces', () => {
  let collector: Server;
  let server: RunningServer;
  const spans: Span[] = [];
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      const { url, headers } = request;
      asked.push({ url, headers });
      const sent = JSON.parse(Buffer.concat(await request.toArray()).toString());
      for (const { scopeSpans } of sent.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => collector.listen(0, resolve));
    const { port } = collector.address() as AddressInfo;
    server = await startServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://localhost:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=school',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
  });
  afterAll(async () => {
    await server?.stop();
    collector?.close();
  });

  it('have a span per request in its trace, with statements without values', async () => {
    const cookie = await signIn(server.base);
    const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    await fetch(`${server.base}/homework?homework_name=${encodeURIComponent('秘密')}`, {
      headers: { cookie, accept: 'text/html', traceparent: `00-${trace}-${parent}-01` },
    });
    const own = () => spans.find(({ traceId, parentSpanId }) => traceId === trace && parentSpanId === parent);
    await expect.poll(own).toMatchObject({ name: 'GET /homework' });
    const statements = () => spans.filter(({ parentSpanId }) => parentSpanId === own()?.spanId);
    await expect.poll(() => statements().length).toBeGreaterThan(2);
    expect(statements().every(({ traceId }) => traceId === trace)).toBe(true);
    const texts = statements().map(
      ({ attributes }) => attributes.find(({ key }) => key === 'db.query.text')?.value.stringValue,
    );
    expect(texts.some((text) => text?.startsWith('select'))).toBe(true);
    expect(JSON.stringify(spans)).not.toMatch(/秘密|%E7%A7%98/);
    expect(asked[0]).toMatchObject({ url: '/v1/traces', headers: { 'x-tenant': 'school' } });
  });
});

describe('screens with a remote API', () => {
  it('report alive while that hangs', async () => {
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, resolve));
    const { port } = hanging.address() as AddressInfo;
    const screens = await startServer({ API_BASE_URL: `http://localhost:${port}`, API_TIMEOUT: '1500' }, 'healthz');
    try {
      expect((await fetch(`${screens.base}/healthz`)).status).toBe(200);
      expect((await fetch(`${screens.base}/readyz`)).status).toBe(503);
    } finally {
      await screens.stop();
      hanging.closeAllConnections();
      hanging.close();
    }
  });
});
