/** Runs the built product for a benchmark and measures its process from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { servedProgram, servingEnvironment, servingFlags } from '#server/platform/commands/server-process.mjs';
import { postgresSeconds } from './postgres.ts';

export interface BenchServer {
  base: string;
  /** Milliseconds from the start of the process to its first answer. */
  firstAnswer: number;
  /** CPU seconds of the process, and of its database if that has its own processes. */
  cpu(): Promise<number>;
  /**
   * Durations in milliseconds of the learner calls, or of the calls under `noted`, since the last query, measured in
   * the server.
   */
  times(): Promise<number[]>;
  /** Bytes of resident memory. */
  memory(): number;
  stop(): Promise<void>;
}

const ownUsage = `--import=${new URL('process-usage.mjs', import.meta.url)}`;

export async function startServer({
  port,
  varDir,
  databaseUrl = '',
  noted = '/api/app/',
}: {
  port: number;
  varDir: string;
  databaseUrl?: string | undefined;
  /** Address prefix of the calls that are timed. */
  noted?: string;
}): Promise<BenchServer> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [ownUsage, ...servingFlags, '--max-http-header-size=131072', ...servedProgram],
    {
      env: {
        ...process.env,
        ...servingEnvironment,
        PORT: String(port),
        VAR_DIR: varDir,
        NODE_COMPILE_CACHE: path.join(varDir, 'compiled'),
        DATABASE_URL: databaseUrl,
        LOG_LEVEL: 'warn',
        BENCH_NOTED: noted,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const base = `http://127.0.0.1:${port}`;
  while (true) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const up = await fetch(`${base}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) break;
    if (performance.now() - started > 60_000) throw new Error('the server is not ready after a minute');
    await wait(5);
  }
  const firstAnswer = performance.now() - started;
  const pid = child.pid as number;
  return {
    base,
    firstAnswer,
    async cpu() {
      const said = once(child, 'message');
      child.send('usage');
      const [{ user, system }] = await said;
      return (user + system) / 1_000_000 + (databaseUrl ? postgresSeconds(databaseUrl) : 0);
    },
    async times() {
      const said = once(child, 'message');
      child.send('times');
      const [times] = await said;
      return times;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([ended, wait(5_000).then(() => child.kill('SIGKILL'))]);
    },
  };
}

/** Returns the session cookie of a demo account. */
export async function signIn(base: string, username: string, password: string): Promise<string> {
  const answer = await fetch(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
    headers: { origin: base },
    redirect: 'manual',
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (answer.status !== 302 || !cookie) throw new Error(`signing in as ${username} was answered ${answer.status}`);
  return cookie;
}

export interface Got {
  status: number;
  /** Size on the wire. */
  bytes: number;
}

/** Sends a GET request over a keep-alive connection, like a browser. */
export function get(agent: http.Agent, url: string, cookie: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent, headers: { cookie, accept: 'text/html,*/*', 'accept-encoding': 'gzip' } }, (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes }));
      })
      .on('error', reject);
  });
}

/** Seconds of server CPU per request of `path`, over `count` requests, four at a time. */
async function cpuPerRequest(server: BenchServer, path: string, cookie: string, count: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const before = await server.cpu();
  let left = count;
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      while (left > 0) {
        left -= 1;
        const { status } = await get(agent, server.base + path, cookie);
        if (status !== 200) throw new Error(`${path} was answered ${status}`);
      }
    }),
  );
  agent.destroy();
  return ((await server.cpu()) - before) / count;
}

export interface Asked {
  of: BenchServer;
  path: string;
  cookie: string;
  /** Requests of each round. */
  count: number;
}

/**
 * CPU seconds of the server per request, for each of the given requests, over `rounds` after warming up. Runs them in
 * turns, forwards and backwards, so that other load and the order affect all of them equally.
 */
export async function cpuInTurns<Name extends string>(
  asked: Record<Name, Asked | undefined>,
  { rounds, warming }: { rounds: number; warming: number },
): Promise<Record<Name, number>> {
  const turn = Object.entries<Asked | undefined>(asked) as [Name, Asked | undefined][];
  const sums = Object.fromEntries(turn.map(([name]) => [name, 0])) as Record<Name, number>;
  for (let round = -warming; round < rounds; round += 1) {
    for (const [name, one] of round % 2 === 0 ? turn : turn.toReversed()) {
      if (!one) continue;
      const seconds = await cpuPerRequest(one.of, one.path, one.cookie, one.count);
      if (round >= 0) sums[name] += seconds / rounds;
    }
  }
  return sums;
}
