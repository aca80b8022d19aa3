import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { QueueState } from '#server/platform/monitoring/queue.ts';
import { jobLostAfter } from './rules.ts';

/** The time for heartbeats: always this machine's clock, never the time of a request. */
export const secondsNow = (): number => Math.floor(Date.now() / 1000);

export interface RunningImport {
  id: number;
  file_name: string;
  /** Time of the last heartbeat, unix seconds. */
  noted_at: number;
  /** True if the process of the job died without a report. */
  is_lost: boolean;
}

export async function runningImports(db: Database): Promise<RunningImport[]> {
  const rows = await db
    .selectFrom('import')
    .select(['id', 'file_name', 'noted_at'])
    .where('job', '<>', '')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, is_lost: row.noted_at < secondsNow() - jobLostAfter }));
}

/**
 * State of the queue for monitoring. `oldestAt`: oldest heartbeat of a running job. `failing`: number of failures that
 * somebody has to look at.
 */
export async function importQueue(db: Database): Promise<QueueState> {
  const working = await runningImports(db);
  const failed = db
    .selectFrom('import')
    .where('job', '=', '')
    .where('failure', '<>', '')
    .where('state', 'in', ['uploaded', 'checked', 'held', 'applied']);
  const last = await failed.select('failure').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return {
    waiting: working.length,
    oldestAt: working.length > 0 ? Math.min(...working.map(({ noted_at }) => noted_at)) : null,
    failing: last ? await countOf(failed) : 0,
    error: last?.failure ?? '',
  };
}
