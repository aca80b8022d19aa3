import type { Database } from '#server/platform/db/engine.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { QueueState } from '#server/platform/monitoring/queue.ts';

/**
 * Imports at work, the oldest by its last sign of life: one that gives none any more has ended with its process. Failing
 * are those that wait for somebody to look at what was said of them.
 */
export async function importsAtWork(db: Database): Promise<QueueState> {
  const working = await db
    .selectFrom('import')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.min('noted_at').as('oldestAt')])
    .where('job', '<>', '')
    .executeTakeFirstOrThrow();
  const failed = db
    .selectFrom('import')
    .where('job', '=', '')
    .where('failure', '<>', '')
    .where('state', 'in', ['uploaded', 'checked', 'held', 'applied']);
  const last = await failed.select('failure').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return {
    waiting: Number(working.all),
    oldestAt: working.oldestAt,
    failing: last ? await countOf(failed) : 0,
    error: last?.failure ?? '',
  };
}
