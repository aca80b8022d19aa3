/** Which processes serve the school: each says once a minute that it does. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '#server/platform/db/engine.ts';
import { productVersion } from '#server/platform/monitoring/version.ts';
import type { Services } from './context.ts';

export interface ServingProcess {
  host: string;
  pid: number;
  version: string;
  /** Unix seconds. */
  started_at: number;
  seen_at: number;
  /** Bytes that it holds. */
  memory: number;
}

/** Seconds between two signs of life, and without one until it is forgotten. */
const signEvery = 60;
const forgottenAfter = 24 * 60 * 60;
/** Seconds without a sign after which a process counts as gone. */
export const goneAfter = 3 * signEvery;

const begins = 'process ';

/** Its entry is that of this process alone. */
async function showProcess(db: Database, name: string, { now, startedAt }: { now: number; startedAt: number }) {
  const shown: ServingProcess = {
    host: hostname(),
    pid: process.pid,
    version: productVersion(),
    started_at: startedAt,
    seen_at: now,
    memory: process.memoryUsage.rss(),
  };
  const value = JSON.stringify(shown);
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The newest first. */
export async function servingProcesses(db: Database): Promise<ServingProcess[]> {
  const rows = await db.selectFrom('setting').select('value').where('name', 'like', `${begins}%`).execute();
  return rows
    .map(({ value }) => JSON.parse(value) as ServingProcess)
    .sort((one, other) => other.seen_at - one.seen_at || other.pid - one.pid);
}

async function forgetProcesses(db: Database, before: number): Promise<void> {
  const rows = await db.selectFrom('setting').selectAll().where('name', 'like', `${begins}%`).execute();
  const old = rows.filter(({ value }) => (JSON.parse(value) as ServingProcess).seen_at < before);
  for (const { name } of old) await db.deleteFrom('setting').where('name', '=', name).execute();
}

/** Says so now and each minute; answers what ends it. A database that is away is told another time. */
export function startShowing({
  database: { db },
  now,
  log,
}: Pick<Services, 'database' | 'now' | 'log'>): () => Promise<void> {
  const name = `${begins}${randomUUID()}`;
  const startedAt = now();
  const show = async () => {
    try {
      await showProcess(db, name, { now: now(), startedAt });
      await forgetProcesses(db, now() - forgottenAfter);
    } catch (error) {
      log.debug({ err: error }, 'this process is not shown');
    }
  };
  void show();
  const timer = setInterval(() => void show(), signEvery * 1000).unref();
  return async () => {
    clearInterval(timer);
    await db
      .deleteFrom('setting')
      .where('name', '=', name)
      .execute()
      .catch(() => undefined);
  };
}
