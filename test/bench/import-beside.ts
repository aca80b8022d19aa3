/**
 * Measures the homework list while a large school is imported: on the screen, that is in the serving process, and by
 * the command. Alternates with runs without an import, so that all run under the same load.
 *
 *   npm run bench -- beside [SHARE] [--rounds N]   SHARE of the whole school; with DATABASE_URL on that server too
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from '../learners/play.ts';
import { largePackage } from './import-package.ts';
import { emptyBeside } from './postgres.ts';
import { type BenchServer, get, signIn, startServer } from './server.ts';

type Note = (measure: string, value: string, goal: string, met: boolean) => void;

/** Milliseconds between two requests. */
const askedEvery = 100;
const aloneFor = 15;
/** Maximum slowdown of the list during an import. */
const most = 1.5;
const list = '/homework?tab=main';

interface Turn {
  /** Durations in milliseconds, as the client measures them. */
  waited: number[];
  served: number[];
  seconds: number;
  /** CPU seconds of the server and its database. */
  own: number;
}

/** Requests the list at a steady rate until the work is done. */
async function turn(server: BenchServer, cookie: string, work: () => Promise<unknown>): Promise<Turn> {
  const agent = new http.Agent({ keepAlive: true });
  const waited: number[] = [];
  const under = new Set<Promise<void>>();
  let failed: unknown;
  const askList = () => get(agent, server.base + list, cookie);
  const ask = () => {
    const since = performance.now();
    // The server may have just closed the idle connection, so the request is tried again.
    const answered: Promise<void> = askList()
      .catch(askList)
      .then(({ status }) => {
        if (status !== 200) failed = new Error(`${list} was answered ${status}`);
        waited.push(performance.now() - since);
      })
      .catch((error: unknown) => {
        failed = error;
      })
      .finally(() => under.delete(answered));
    under.add(answered);
  };
  await server.times();
  const before = await server.cpu();
  const begin = performance.now();
  const timer = setInterval(ask, askedEvery);
  await work().finally(() => clearInterval(timer));
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(under);
  agent.destroy();
  if (failed) throw failed;
  return { waited, served: await server.times(), seconds, own: (await server.cpu()) - before };
}

/** Same steps as on the screen: upload, check and apply on the server, confirming every hold. */
async function throughScreen(server: BenchServer, token: string, file: Uint8Array, source: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (address: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.base}/api/admin/import${address}`, {
      ...init,
      headers: { ...headers, ...(typeof init.body === 'string' && { 'content-type': 'application/json' }) },
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`the import was answered ${answer.status}: ${said.msg}`);
    return said.data;
  };
  const form = new FormData();
  form.set('source', source);
  form.set('file', new File([Buffer.from(file)], 'school.zip'));
  const { id } = await ask('/upload', { method: 'POST', body: form });
  const ended = async () => {
    for (;;) {
      const shown = await ask(`/${id}`);
      if (shown.job === '') return shown;
      await pause(500);
    }
  };
  const { holds } = await ended();
  const confirmed = Object.fromEntries(
    holds.map((one: { kind: string; reason: string; number: number }) => [`${one.kind}.${one.reason}`, one.number]),
  );
  await ask(`/${id}/apply`, { method: 'POST', body: JSON.stringify({ confirmed, departures: 1 }) });
  const { state } = await ended();
  if (state !== 'applied') throw new Error(`the import is ${state}`);
}

/** Runs `npm run school -- apply FILE`. Returns its CPU seconds. */
function byCommand(
  { file, source }: { file: string; source: string },
  {
    varDir,
    databaseUrl = '',
    begun,
  }: { varDir: string; databaseUrl?: string | undefined; begun: (child: ChildProcess) => void },
): Promise<number> {
  const memory = ['--max-semi-space-size=16', '--max-old-space-size=160'];
  const words = ['--import', './test/bench/reported-usage.ts', 'server/school-command.ts', 'apply', file];
  const child = spawn(
    process.execPath,
    ['server/platform/commands/run.mjs', ...memory, ...words, '--source', source, '--json'],
    { env: { ...process.env, VAR_DIR: varDir, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  begun(child);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      const used = /used (\{.*\})/.exec(errors)?.[1];
      if (code === 0 && used) resolve(JSON.parse(used).seconds);
      else reject(new Error(`the command ended with ${code}: ${errors.slice(0, 500)}`));
    });
  });
}

const median = (times: readonly number[]) => quantile(times, 0.5);
const late = (times: readonly number[]) => quantile(times, 0.95);
const inWords = (of: Turn) =>
  `p50 ${median(of.waited).toFixed(1)} p95 ${late(of.waited).toFixed(1)} ms (at the server ${median(of.served).toFixed(1)} and ${late(of.served).toFixed(1)}), ${of.waited.length} in ${of.seconds.toFixed(0)} s`;

const together = (turns: readonly Turn[]): Turn => ({
  waited: turns.flatMap(({ waited }) => waited),
  served: turns.flatMap(({ served }) => served),
  seconds: turns.reduce((sum, { seconds }) => sum + seconds, 0),
  own: turns.reduce((sum, { own }) => sum + own, 0),
});

/** Imports `share` of the whole school, `rounds` times in each way. */
async function measureBeside(
  note: Note,
  { share, rounds, databaseUrl }: { share: number; rounds: number; databaseUrl: string | undefined },
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-beside-'));
  const own = databaseUrl ? await emptyBeside(databaseUrl, 'beside') : undefined;
  let server: BenchServer | undefined;
  let command: ChildProcess | undefined;
  try {
    const filled = spawnSync(process.execPath, ['server/demo/command.ts', '--size', 'small'], {
      env: { ...process.env, VAR_DIR: folder, DATABASE_URL: own?.url ?? '' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (filled.status !== 0) throw new Error(`the small school was not filled: ${filled.status}`);
    server = await startServer({ port: 4394, varDir: folder, databaseUrl: own?.url, noted: '/homework' });
    const serving = server;
    const cookie = await signIn(server.base, 'teacher', 'Teach2026');
    const token = await tokenOfAdmin(server.base);
    // Warms up compiled code and caches first.
    await turn(serving, cookie, () => pause(5_000));
    const turns = { alone: [] as Turn[], screen: [] as Turn[], command: [] as Turn[] };
    const commands: number[] = [];
    const alone = async () => turns.alone.push(await turn(serving, cookie, () => pause(aloneFor * 1000)));
    await alone();
    for (let round = 1; round <= rounds; round += 1) {
      const file = largePackage({ share, tag: `a${round}` });
      turns.screen.push(await turn(serving, cookie, () => throughScreen(serving, token, file, `screen ${round}`)));
      await alone();
      const at = path.join(folder, 'school.zip');
      writeFileSync(at, largePackage({ share, tag: `b${round}` }));
      const work = async () => {
        const rememberCommand = (child: ChildProcess) => {
          command = child;
        };
        commands.push(
          await byCommand(
            { file: at, source: `command ${round}` },
            { varDir: folder, databaseUrl: own?.url, begun: rememberCommand },
          ),
        );
      };
      turns.command.push(await turn(serving, cookie, work));
      await alone();
    }
    const base = together(turns.alone);
    const perSecond = base.own / base.seconds;
    for (const [way, its] of [
      ['the screen', together(turns.screen)],
      ['the command', together(turns.command)],
    ] as const) {
      const ratios = [median, late].map((of) => of(its.waited) / of(base.waited));
      const more =
        its.own - perSecond * its.seconds + (way === 'the command' ? commands.reduce((sum, one) => sum + one, 0) : 0);
      const [usual = 0, slow = 0] = ratios;
      note(
        `the list of homework beside an import by ${way}, ${share} of the school`,
        `p50 ${usual.toFixed(2)}×, p95 ${slow.toFixed(2)}×: ${inWords(its)}; alone ${inWords(base)}; the import took ${more.toFixed(1)} s of processor time`,
        `≤ ${most}×`,
        usual <= most && slow <= most,
      );
    }
  } finally {
    if (command?.exitCode === null) command.kill('SIGKILL');
    await server?.stop();
    await own?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tokenOfAdmin(base: string): Promise<string> {
  const answer = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password: 'Admin2026' }),
    headers: { 'content-type': 'application/json' },
  });
  const { data } = await answer.json();
  return data.token;
}

/** Timeout in minutes. */
const limit = 30;

setTimeout(() => {
  console.error(`not done after ${limit} minutes`);
  process.exit(1);
}, limit * 60_000).unref();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '2' } },
});
for (const databaseUrl of [undefined, ...(process.env.DATABASE_URL ? [process.env.DATABASE_URL] : [])]) {
  const engine = databaseUrl ? 'PostgreSQL' : 'SQLite';
  const say = (measure: string, value: string, goal: string, met: boolean) => {
    console.log(`${met ? 'ok  ' : 'MISS'} ${engine}: ${measure}: ${value} (goal ${goal})`);
    if (!met) process.exitCode = 1;
  };
  await measureBeside(say, { share: Number(positionals[0] ?? 1), rounds: Number(values.rounds), databaseUrl });
}
