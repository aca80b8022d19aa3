/** Processes an uploaded file; a large one in a worker thread, so that other requests need not wait. */
import { stat } from 'node:fs/promises';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';
import type * as thread from './thread.ts';

/** From this size in bytes a file is worth starting a worker. */
const largeFrom = 64 * 1024;
/** Limit of the worker in milliseconds. */
const timeLimit = 10 * 60 * 1000;
/** Limit of the worker in megabytes. */
const memoryLimit = 224;
let pool: Pool | undefined;

/**
 * Processes a small file in this thread with `inline`, a large one in a worker with the function of thread.ts that
 * `inWorker` names. Throws if the worker failed.
 */
export async function processFile<Order, Outcome>(
  database: OpenDatabase,
  path: string,
  {
    inline,
    inWorker,
    order,
  }: { inline: (db: Database, order: Order) => Promise<Outcome>; inWorker: keyof typeof thread; order: Order },
): Promise<Outcome> {
  const { size } = await stat(path);
  if (size < largeFrom || database.location === ':memory:') return inline(database.db, order);
  // Only one worker, because uploads are rare and an idle worker would keep its memory.
  pool ??= createPool({ workers: 1, timeLimit, memoryLimit, idleTime: 1000 });
  const input: thread.WorkerOrder<Order> = { order, location: database.location };
  const outcome = await pool.run<Outcome>({ module: '#server/import/thread.ts', run: inWorker, input });
  if ('failed' in outcome) throw new Error(`the thread that reads a file failed: ${outcome.failed}`);
  return outcome.ok;
}
