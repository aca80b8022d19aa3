/**
 * Scheduled background jobs. One process at a time runs a job, under a lease in the database; if it dies, another takes
 * over. A failed run is retried with backoff, and its error is kept until a run succeeds.
 */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import { type Database, isSqlite, type OpenDatabase } from '#server/platform/db/engine.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { processNumber } from '#server/platform/processes/siblings.ts';
import { jobBackoff } from './rules.ts';

export interface BackgroundWork {
  /** Name of the job in the database. Screens have labels of their own. */
  kind: string;
  /** Seconds between two successful runs. */
  every: number;
  /** Seconds from the very first start of the server to the first run; 0 by default. */
  first?: number;
  /** Maximum seconds between two retries; `every` by default, but at least 60. */
  longestPause?: number;
  /** Lease in seconds, renewed during the run; 90 by default. */
  lease?: number;
  /** True for a sticky job: the process keeps its lease between runs, because the job has state in memory. */
  stays?: boolean;
  /** Runs the job once. A thrown error marks the run as failed. */
  run(): Promise<void>;
}

export interface BackgroundSettings {
  database: OpenDatabase;
  log: Log;
  /** Unix seconds. */
  now: () => number;
  /** Unique name of the lease holder; this process by default. */
  holder?: string;
}

export interface Background {
  /** Runs all jobs that are due and not leased by another process; returns their names. */
  look(): Promise<string[]>;
  /** Checks for due jobs regularly until `stop`. */
  start(): void;
  /** Waits a moment for running jobs, then releases their leases. */
  stop(): Promise<void>;
}

/** Milliseconds between two checks. */
const checkInterval = 2_000;
/** Maximum wait of `stop` in milliseconds. */
const stopTimeout = 1_000;
const defaultLease = 90;

/** Host and process id make the name unique; the process number is there for people who read it. */
const thisProcess = (): string =>
  `${hostname()} ${process.pid}${processNumber === undefined ? '' : ` (${processNumber})`}`;

export function createBackground(
  { database: { db }, log, now, holder = thisProcess() }: BackgroundSettings,
  works: readonly BackgroundWork[],
): Background {
  const running = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> | undefined;
  let isStopped = false;
  let isDeclared = false;

  async function declare(): Promise<void> {
    const at = now();
    for (const { kind, first = 0 } of works) {
      await db
        .insertInto('background_job')
        .values({ kind, due_at: at + first, started_at: null, done_at: null })
        .onConflict((known) => known.column('kind').doNothing())
        .execute();
    }
    isDeclared = true;
  }

  const mine = (kind: string) => db.updateTable('background_job').where('kind', '=', kind).where('holder', '=', holder);

  async function run(work: BackgroundWork): Promise<void> {
    const { kind, every, lease = defaultLease, longestPause = Math.max(60, every), stays = false } = work;
    const renewing = setInterval(
      () => {
        mine(kind)
          .set({ held_until: now() + lease })
          .execute()
          .catch(() => undefined);
      },
      (lease * 1_000) / 3,
    ).unref();
    let failure: string | undefined;
    try {
      await work.run();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      log.warn({ err: error, job: kind }, 'background work has failed');
    } finally {
      clearInterval(renewing);
    }
    const at = now();
    const left = stays && !isStopped ? { held_until: at + every + lease } : { holder: '', held_until: 0 };
    if (failure === undefined) {
      await mine(kind)
        .set({ ...left, done_at: at, due_at: at + every, tries: 0, last_error: '' })
        .execute();
      return;
    }
    const { tries } = await db
      .selectFrom('background_job')
      .select('tries')
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow();
    await mine(kind)
      .set({
        ...left,
        tries: tries + 1,
        last_error: failure.slice(0, 500),
        due_at: at + Math.min(longestPause, jobBackoff(tries + 1)),
      })
      .execute();
  }

  async function look(): Promise<string[]> {
    if (!isDeclared) await declare();
    const free = works.filter(({ kind }) => !running.has(kind));
    const taken = await takeLeases(db, free, { holder, now: now() });
    for (const work of taken) {
      const done = run(work)
        .catch((error: unknown) => log.warn({ err: error, job: work.kind }, 'background work was not noted'))
        .finally(() => running.delete(work.kind));
      running.set(work.kind, done);
    }
    return taken.map(({ kind }) => kind);
  }

  return {
    look: async () => {
      const taken = await look();
      await Promise.all(taken.map((kind) => running.get(kind)));
      return taken;
    },
    start() {
      const lookOnce = () => {
        looking ??= look()
          .catch((error: unknown) => log.warn({ err: error }, 'background work was not looked for'))
          .finally(() => {
            looking = undefined;
          });
      };
      timer ??= withoutDeadline(() => {
        lookOnce();
        return setInterval(lookOnce, checkInterval).unref();
      });
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
      await Promise.race([Promise.all(running.values()), pause(stopTimeout, undefined, { ref: false })]);
      // Releases the leases of jobs that are still running, so that another process starts them again. Every job can
      // safely run twice.
      await db
        .updateTable('background_job')
        .set({ holder: '', held_until: 0 })
        .where('holder', '=', holder)
        .execute()
        .catch(() => undefined);
    },
  };
}

/**
 * Takes the leases of jobs that are due and free. A due time far in the future was stored before the clock was set
 * back, and counts as due.
 */
async function takeLeases(
  db: Database,
  works: readonly BackgroundWork[],
  { holder, now }: { holder: string; now: number },
): Promise<BackgroundWork[]> {
  if (works.length === 0) return [];
  const furthest = (each: (work: BackgroundWork) => number) => {
    const cases = works.map((work) => sql`when kind = ${work.kind} then cast(${now + each(work)} as bigint)`);
    return sql<number>`case ${sql.join(cases, sql` `)} end`;
  };
  const due = (within: Database) =>
    within
      .selectFrom('background_job')
      .select('kind')
      .where(
        'kind',
        'in',
        works.map(({ kind }) => kind),
      )
      .where((eb) =>
        eb.or([
          eb('due_at', '<=', now),
          eb(
            'due_at',
            '>',
            furthest(({ every, longestPause = 0 }) => Math.max(60, every, longestPause)),
          ),
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('holder', 'in', ['', holder]),
          eb('held_until', '<', now),
          eb(
            'held_until',
            '>',
            furthest(({ every, lease = defaultLease }) => every + lease),
          ),
        ]),
      );
  // Reads before it locks, so that a check without any due job costs no write.
  if ((await due(db).limit(1).execute()).length === 0) return [];
  const kinds = await db.transaction().execute(async (trx) => {
    const rows = await (isSqlite(trx) ? due(trx) : due(trx).forUpdate().skipLocked()).execute();
    for (const { kind } of rows) {
      const lease = works.find((work) => work.kind === kind)?.lease ?? defaultLease;
      await trx
        .updateTable('background_job')
        .set({ holder, held_until: now + lease, started_at: now })
        .where('kind', '=', kind)
        .execute();
    }
    return rows.map(({ kind }) => kind);
  });
  return works.filter(({ kind }) => kinds.includes(kind));
}

/**
 * Takes or renews the lease of a job that runs on demand; false if another process holds it. Without renewal the lease
 * ends after the given seconds from `now` (unix seconds).
 */
export async function acquireJob(
  db: Database,
  kind: string,
  { holder, now, seconds }: { holder: string; now: number; seconds: number },
): Promise<boolean> {
  const held = { holder, held_until: now + seconds, started_at: now };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('background_job')
    .values({ kind, due_at: now, done_at: null, ...held })
    .onConflict((known) =>
      known
        .column('kind')
        .doUpdateSet(held)
        .where((eb) =>
          eb.or([eb('background_job.held_until', '<', now), eb('background_job.holder', 'in', ['', holder])]),
        ),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Releases the lease of a job. */
export async function releaseJob(db: Database, kind: string, holder: string): Promise<void> {
  await db
    .updateTable('background_job')
    .set({ holder: '', held_until: 0 })
    .where('kind', '=', kind)
    .where('holder', '=', holder)
    .execute();
}

/** True if a process holds the lease of the job. */
export async function isJobLeased(db: Database, kind: string, now: number): Promise<boolean> {
  const job = await db
    .selectFrom('background_job')
    .select('kind')
    .where('kind', '=', kind)
    .where('holder', '!=', '')
    .where('held_until', '>=', now)
    .executeTakeFirst();
  return job !== undefined;
}

/** Lists all jobs with their state. */
export const backgroundJobs = (db: Database) => db.selectFrom('background_job').selectAll().orderBy('kind').execute();

/** Makes a job due now; false if there is no such job. */
export async function wakeJob(db: Database, kind: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('background_job')
    .set({ due_at: now })
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
