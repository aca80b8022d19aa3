/**
 * Writes large exports in a worker thread with a database connection of its own. On the event loop, the export of a
 * whole school would delay every page for minutes.
 */
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { withReplicaReads } from '#server/platform/db/replica.ts';
import { createPool, type Job, type Pool } from '#server/platform/jobs/pool.ts';
import { lowerPriority } from '#server/platform/jobs/priority.ts';

/** Limits of the thread: milliseconds per file, and megabytes of heap. */
const timeLimit = 30 * 60 * 1000;
const memoryLimit = 224;
/** Milliseconds between two progress checks. */
const pollInterval = 500;

let pool: Pool | undefined;

/** Input of the worker thread. */
export interface WorkerInput<Order> {
  order: Order;
  /** Location of the database, as `openDatabase` takes it. */
  location: string;
  /** Shared memory in which the thread counts its progress. */
  done: SharedArrayBuffer;
  bytes: WritableStream<Uint8Array>;
}

type WorkerJob<Order> = (input: WorkerInput<Order>) => Promise<void>;

/**
 * Streams the bytes that the function `run` of `module` writes in a worker thread. The function passes its input to
 * `writeInWorker`. The stream fails if the thread does; cancelling the stream ends the thread.
 */
export function streamFromWorker<Work extends WorkerJob<never> = WorkerJob<unknown>>(
  { module, run, order, location }: Pick<Job, 'module' | 'run'> & Pick<Parameters<Work>[0], 'order' | 'location'>,
  progress: (done: number) => void,
): ReadableStream<Uint8Array> {
  // Exports are rare, so an idle thread ends soon and frees its memory.
  pool ??= createPool({ workers: 1, timeLimit, memoryLimit, idleTime: 1000 });
  const done = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counted = new Int32Array(done);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const reader = readable.getReader();
  const ending = new AbortController();
  const input: WorkerInput<unknown> = { order, location, done, bytes: writable };
  const looks = setInterval(() => progress(Atomics.load(counted, 0)), pollInterval);
  const written = pool
    .run<void>({ module, run, input, transfer: [writable], signal: ending.signal })
    .then((outcome) => {
      if ('failed' in outcome) throw new Error(`the thread that makes a file failed: ${outcome.failed}`);
    })
    .finally(() => clearInterval(looks));
  // A thread that crashed cannot report that through its stream, so this reports it.
  const broken = written.then(() => new Promise<never>(() => undefined));
  broken.catch(() => undefined);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done: isWhole, value } = await Promise.race([reader.read(), broken]);
      if (!isWhole) return controller.enqueue(value);
      await written;
      controller.close();
    },
    cancel: () => ending.abort(),
  });
}

/** Called in the worker thread: writes the bytes that `make` produces from the database. */
export async function writeInWorker<Order>(
  { location, done, bytes }: WorkerInput<Order>,
  make: (db: Database, progress: (done: number) => void) => ReadableStream<Uint8Array>,
): Promise<void> {
  lowerPriority();
  const counted = new Int32Array(done);
  const database = openDatabase(location, { replica: setting('DATABASE_REPLICA_URL') });
  try {
    await withReplicaReads(() => make(database.db, (count) => void Atomics.store(counted, 0, count)).pipeTo(bytes));
  } finally {
    await database.destroy();
  }
}
