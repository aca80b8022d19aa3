/** Work on an uploaded file: on a large one in a thread, beside the requests, so that nobody waits for it. */
import { stat } from 'node:fs/promises';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';
import type * as thread from './thread.ts';

/** Bytes from which on a thread of its own is worth its start; milliseconds and megabytes that it may take. */
const largeFrom = 64 * 1024;
const timeLimit = 10 * 60 * 1000;
const memoryLimit = 224;
let pool: Pool | undefined;

/** `apart`: the export of thread.ts that is `here` with a connection of its own. Throws where the thread came to no end. */
export async function workOnFile<Order, Outcome>(
  database: OpenDatabase,
  path: string,
  {
    here,
    apart,
    order,
  }: { here: (db: Database, order: Order) => Promise<Outcome>; apart: keyof typeof thread; order: Order },
): Promise<Outcome> {
  const { size } = await stat(path);
  if (size < largeFrom || database.location === ':memory:') return here(database.db, order);
  // Seldom two at a time, and none for days: no heap is kept for it.
  pool ??= createPool({ workers: 1, timeLimit, memoryLimit, idleTime: 1000 });
  const input: thread.WorkerOrder<Order> = { order, location: database.location };
  const outcome = await pool.run<Outcome>({ module: '#server/import/thread.ts', run: apart, input });
  if ('failed' in outcome) throw new Error(`the thread that reads a file failed: ${outcome.failed}`);
  return outcome.ok;
}
