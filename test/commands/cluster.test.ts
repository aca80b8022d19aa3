/** @module-tag thorough */
/**
 * Tests several processes on one port: they start in order, a killed one is replaced, limits apply to all together, and
 * all end.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, postOf } from '../support/exchange.ts';
import { describeEngines } from '../support/on-both-engines.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { createDatabase, type TestDatabase } from '../support/test-database.ts';

const count = 3;

describeEngines('several server processes', (engine) => {
  let database: TestDatabase | undefined;
  let server: RunningServer;
  let isOver = false;

  const lines = () =>
    server
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  /** Numbers of the serving processes. */
  const servingProcesses = () =>
    new Map(
      lines()
        .filter(({ msg }) => msg === 'this process serves')
        .map((line): [number, number] => [line.process, line.pid]),
    );
  const credentials = { username: 'nobody', password: 'wrong' };
  const login = () =>
    fetch(`${server.base}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(credentials),
    });

  beforeAll(async () => {
    if (engine === 'PostgreSQL') database = await createDatabase();
    server = await startServer({
      WEB_CONCURRENCY: String(count),
      DEMO: '0',
      LOG_LEVEL: 'info',
      ...(database ? { DATABASE_URL: database.url } : {}),
    });
    while (servingProcesses().size < count) await wait(20);
  });
  afterAll(async () => {
    if (!isOver) await server.stop();
    await database?.drop();
  });

  it('are numbered, the first started before the others', () => {
    expect([...servingProcesses().keys()].sort()).toEqual([1, 2, 3]);
    expect([...servingProcesses().keys()][0]).toBe(1);
    expect(new Set(servingProcesses().values()).size).toBe(count);
    // Printed once, by the process that starts first.
    expect(server.printed().match(/学校还没有设置/g)).toHaveLength(1);
  });

  it('share the count of failed passwords', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => login()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it('replace a killed one while others answer', async () => {
    const before = servingProcesses().get(2) as number;
    process.kill(before, 'SIGKILL');
    let failed = 0;
    let asked = 0;
    while (servingProcesses().get(2) === before) {
      const ok = await fetch(`${server.base}/healthz`, { headers: { connection: 'close' } }).then(
        (response) => response.ok,
        () => false,
      );
      asked += 1;
      if (!ok) failed += 1;
    }
    // At most the requests failed that the killed process was answering.
    expect(failed).toBeLessThanOrEqual(1);
    expect(asked).toBeGreaterThan(10);
    expect(lines().filter(({ msg }) => msg === 'a process has ended: it is started again')).toMatchObject([
      { process: 2, pid: before, signal: 'SIGKILL' },
    ]);
  });

  it('answer pending requests at shutdown, and leave no process', async () => {
    const posts = Array.from({ length: 30 }, () => exchange(server.base, postOf('/api/auth/login', credentials)));
    await Promise.all(posts.map(({ sent }) => sent));
    const { code, took } = await server.end('SIGTERM');
    isOver = true;
    const answers = await Promise.all(posts.map(({ whole }) => whole));
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(30).fill('HTTP/1.1 429'));
    expect(code).toBe(0);
    expect(took).toBeLessThan(10_000);
    for (const pid of servingProcesses().values()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
