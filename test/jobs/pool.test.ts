import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createPool, type Job, type Pool, type PoolSettings } from '#server/platform/jobs/pool.ts';
import { goal } from '../support/budget.ts';

const module = new URL('./work.ts', import.meta.url).href as Job['module'];

function poolOf(settings: PoolSettings): Pool {
  const pool = createPool(settings);
  onTestFinished(() => pool.close());
  return pool;
}

test('worker pool returns results and errors', async () => {
  const pool = poolOf({ workers: 1 });
  expect(await pool.run({ module, run: 'double', input: 21 })).toEqual({ ok: 42 });
  await expect(pool.run({ module, run: 'fail', input: '坏了' })).rejects.toThrow(new RangeError('坏了'));
  await expect(pool.run({ module, run: 'nothing', input: 1 })).rejects.toThrow('exports no function nothing');
  await expect(pool.run({ module, run: 'unsendable', input: 1 })).rejects.toThrow();
  expect(await pool.run({ module, run: 'double', input: 1 })).toEqual({ ok: 2 });
});

test('worker pool queues ten jobs on two threads without blocking', async () => {
  const pool = poolOf({ workers: 2 });
  await Promise.all([1, 2].map(() => pool.run({ module, run: 'wait', input: 20 })));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => pool.run<number>({ module, run: 'spin', input: 40 })),
  );
  delay.disable();
  expect(outcomes.every((outcome) => 'ok' in outcome)).toBe(true);
  expect(new Set(outcomes.map((outcome) => 'ok' in outcome && outcome.ok)).size).toBe(2);
  // Typically 3 ms. A job that ran on this loop would delay it by 40 ms.
  goal('pool: delay of the main loop beside ten jobs', delay.percentile(50) / 1e6, 20);
});

test('worker pool refuses more than its queue', async () => {
  const pool = poolOf({ workers: 1, queue: 1 });
  const outcomes = await Promise.all([1, 2, 3].map(() => pool.run({ module, run: 'wait', input: 50 })));
  expect(outcomes.map((outcome) => Object.keys(outcome)[0])).toEqual(['ok', 'ok', 'failed']);
  expect(outcomes[2]).toEqual({ failed: 'busy' });
});

test('worker pool ends slow and greedy jobs, and starts a new thread', async () => {
  const pool = poolOf({ workers: 1, timeLimit: 20_000, memoryLimit: 24 });
  expect(await pool.run({ module, run: 'spin', input: 60_000, timeLimit: 100 })).toEqual({ failed: 'time' });
  expect(await pool.run({ module, run: 'fillMemory', input: null })).toEqual({ failed: 'memory' });
  expect(await pool.run({ module, run: 'double', input: 4 })).toEqual({ ok: 8 });
});

test('worker pool loses one job with a crashed thread', async () => {
  const pool = poolOf({ workers: 1 });
  const [dead, next] = await Promise.allSettled([
    pool.run({ module, run: 'leave', input: null }),
    pool.run({ module, run: 'double', input: 2 }),
  ]);
  expect(dead.status).toBe('rejected');
  expect(next).toEqual({ status: 'fulfilled', value: { ok: 4 } });
});

test('worker pool transfers buffers without copying', async () => {
  const pool = poolOf({ workers: 1 });
  const input = new Uint8Array(1_000_000);
  expect(await pool.run({ module, run: 'sizeOf', input, transfer: [input.buffer] })).toEqual({ ok: 1_000_000 });
  expect(input.byteLength).toBe(0);
  const outcome = await pool.run<{ all: Uint8Array; size: number }>({ module, run: 'bytes', input: 5 });
  expect(outcome).toEqual({ ok: { all: new Uint8Array(5).fill(7), size: 5 } });
});

test('worker pool drops jobs of gone callers', async () => {
  const pool = poolOf({ workers: 1 });
  const gone = new AbortController();
  const running = pool.run({ module, run: 'spin', input: 60_000, signal: gone.signal });
  const waiting = pool.run({ module, run: 'double', input: 1, signal: gone.signal });
  const other = pool.run({ module, run: 'double', input: 3 });
  setTimeout(() => gone.abort(), 50);
  expect(await Promise.all([running, waiting, other])).toEqual([
    { failed: 'cancelled' },
    { failed: 'cancelled' },
    { ok: 6 },
  ]);
});

test('worker pool ends idle threads, and restarts', async () => {
  const pool = poolOf({ workers: 1, idleTime: 50 });
  const first = await pool.run<number>({ module, run: 'wait', input: 1 });
  expect(first).toHaveProperty('ok');
  // The thread that answers next is another one, as soon as the first has been idle for long enough.
  const another = async () => {
    const second = await pool.run<number>({ module, run: 'wait', input: 1 });
    return 'ok' in second && 'ok' in first && second.ok !== first.ok;
  };
  await expect.poll(another, { interval: 100 }).toBe(true);
});

test('worker pool loads the job alone in a thread', async () => {
  const loaded = 'data:text/javascript,console.log("loaded")';
  const program = `
    import { createPool } from '#server/platform/jobs/pool.ts';
    const pool = createPool({ workers: 1 });
    console.log((await pool.run({ module: '${module}', run: 'double', input: 21 })).ok);`;
  const args = [`--import=${loaded}`, `--eval=${program}`];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim().split('\n')).toEqual(['loaded', '42']);
});

test('worker pool ends everything on close', async () => {
  const pool = createPool({ workers: 1 });
  const running = pool.run({ module, run: 'spin', input: 60_000 });
  const waiting = pool.run({ module, run: 'double', input: 1 });
  await pool.close();
  expect(await Promise.all([running, waiting])).toEqual([{ failed: 'cancelled' }, { failed: 'cancelled' }]);
  expect(await pool.run({ module, run: 'double', input: 1 })).toEqual({ failed: 'cancelled' });
});

test('worker pool survives a job killed while opening a compression stream', async () => {
  const pool = poolOf({ workers: 1 });
  for (let turn = 0; turn < 20; turn += 1) {
    const started = await pool.run({ module, run: 'double', input: 3 });
    expect(started).toEqual({ ok: 6 });
    const signal = AbortSignal.timeout(20 + turn);
    expect(await pool.run({ module, run: 'compressOn', input: null, signal })).toEqual({ failed: 'cancelled' });
  }
});
