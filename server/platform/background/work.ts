/**
 * Work behind the requests that comes again and again: of all processes one does it, on a lease, and another goes on where
 * that one has ended. What fails is tried again, ever later, and says why until it was done.
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
  /** Its name in the database; what people call it stands in the product's words. */
  kind: string;
  /** Seconds from one time that it was done to the next. */
  every: number;
  /** Seconds from the first start of all to the first time; default 0. */
  first?: number;
  /** Seconds at most until it is tried again after a failure; default `every`, 60 at least. */
  longestPause?: number;
  /** Seconds for which it is held; it is asked for anew while it is done. Default 90. */
  lease?: number;
  /** What it remembers from one time to the next is in the process: that keeps it while it lives. */
  stays?: boolean;
  /** Does it once. What is thrown is why it failed. */
  run(): Promise<void>;
}

export interface BackgroundSettings {
  database: OpenDatabase;
  log: Log;
  /** Unix seconds. */
  now: () => number;
  /** Who does it, told apart from all others; default this process. */
  holder?: string;
}

export interface Background {
  /** Does what is due and nobody else does; answers which. */
  look(): Promise<string[]>;
  /** Looks now and then, until `stop`. */
  start(): void;
  /** What is being done is waited for, for a moment; others may do it from now on. */
  stop(): Promise<void>;
}

/** Milliseconds between two looks, and for which the end waits for what is being done. */
const lookEvery = 2_000;
const stopPatience = 1_000;
const usualLease = 90;

/** Told apart by host and process; the number is for people. */
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
    const { kind, every, lease = usualLease, longestPause = Math.max(60, every), stays = false } = work;
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
    const taken = await take(db, free, { holder, now: now() });
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
        return setInterval(lookOnce, lookEvery).unref();
      });
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
      await Promise.race([Promise.all(running.values()), pause(stopPatience, undefined, { ref: false })]);
      // What goes on until the process ends is begun again by another: each can be done twice.
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
 * What is due and free becomes the holder's. A time further ahead than it can be comes of a clock that was set back: it is
 * none.
 */
async function take(
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
            furthest(({ every, lease = usualLease }) => every + lease),
          ),
        ]),
      );
  // Looked at before it is locked: what is not due costs no write.
  if ((await due(db).limit(1).execute()).length === 0) return [];
  const kinds = await db.transaction().execute(async (trx) => {
    const rows = await (isSqlite(trx) ? due(trx) : due(trx).forUpdate().skipLocked()).execute();
    for (const { kind } of rows) {
      const lease = works.find((work) => work.kind === kind)?.lease ?? usualLease;
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
 * Whether what somebody may ask for, and only one process does at a time, is this one's (`holder`) for so many seconds from
 * now (unix seconds) on. Nobody's it is again when they have passed without its having asked anew.
 */
export async function holdJob(
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

/** Others may do it from now on. */
export async function leaveJob(db: Database, kind: string, holder: string): Promise<void> {
  await db
    .updateTable('background_job')
    .set({ holder: '', held_until: 0 })
    .where('kind', '=', kind)
    .where('holder', '=', holder)
    .execute();
}

/** Whether some process does it. */
export async function isJobHeld(db: Database, kind: string, now: number): Promise<boolean> {
  const job = await db
    .selectFrom('background_job')
    .select('kind')
    .where('kind', '=', kind)
    .where('holder', '!=', '')
    .where('held_until', '>=', now)
    .executeTakeFirst();
  return job !== undefined;
}

/** What is there, and how it is. */
export const backgroundJobs = (db: Database) => db.selectFrom('background_job').selectAll().orderBy('kind').execute();

/** It is due now. False where there is none of that name. */
export async function hurryJob(db: Database, kind: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('background_job')
    .set({ due_at: now })
    .where('kind', '=', kind)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
