/**
 * Registry of serving processes with a heartbeat. Also checks that all processes share one file storage: each process
 * puts a marker file into its storage and looks for the markers of the others. Several machines without a bucket or
 * shared folder would each miss the files that are uploaded to the others.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { productVersion } from '#server/platform/monitoring/version.ts';
import { processNumber } from '#server/platform/processes/siblings.ts';
import type { Services } from '#server/school/context.ts';
import type { FilesOfProcess } from './rules.ts';

type ProcessServices = Pick<Services, 'database' | 'storage' | 'now' | 'log'>;

/** Seconds between two heartbeats, by engine. */
const noteEvery = { postgres: 10, sqlite: 60 };
/** Seconds for which a process counts as alive after a heartbeat. */
const livesFor = 30;
/** Seconds after which the marker file of a process is deleted. */
const forgottenAfter = 24 * 60 * 60;

/** Seconds without a heartbeat until the screen shows a process as gone. */
export const heartbeatTimeout = 3 * 60;

export interface ServingProcess {
  host: string;
  pid: number;
  version: string;
  /** Unix seconds. */
  started_at: number;
  seen_at: number;
  /** Resident memory in bytes. */
  memory: number;
}

/** Lists serving processes with the keys of their marker files, newest first. */
export const servingProcesses = (db: Database): Promise<(ServingProcess & { storage: string })[]> =>
  db
    .selectFrom('serving_process')
    .select(['host', 'pid', 'version', 'started_at', 'seen_at', 'memory', 'storage'])
    .orderBy('seen_at', 'desc')
    .orderBy('pid', 'desc')
    .execute();

/**
 * Tells whether the process with this marker file uses the same storage as this one; `unknown` if it cannot be checked
 * now.
 */
export async function compareStorage(
  mark: string,
  { database, storage }: Pick<Services, 'database' | 'storage'>,
): Promise<FilesOfProcess> {
  if (database.engine === 'sqlite') return 'here';
  if (mark === '') return 'refused';
  return storage.stat(mark).then(
    (found) => (found ? 'here' : 'elsewhere'),
    () => 'unknown',
  );
}

export interface ProcessRegistration {
  /** Returns the host of a living process that uses another file storage; undefined if there is none. */
  stranger(): Promise<string | undefined>;
  /**
   * Records that this process refuses to serve, because its storage differs. The record is shown for a day, or until
   * the same machine has a serving process.
   */
  refuse(): Promise<void>;
  /** Starts the heartbeat. */
  start(): void;
  /** Removes this process from the registry. */
  leave(): Promise<void>;
}

/**
 * Registers this process. On PostgreSQL it also puts a marker file into the storage, which shows other processes
 * whether they share it. On SQLite all processes are on one machine.
 */
export async function registerProcess(
  { database, storage, now, log }: ProcessServices,
  {
    id = randomUUID(),
    host = hostname(),
    every = noteEvery[database.engine],
  }: { id?: string; host?: string; every?: number } = {},
): Promise<ProcessRegistration> {
  const { db } = database;
  const mark = database.engine === 'sqlite' ? '' : await leaveMark(storage, id);
  const at = now();
  const gone = await db
    .deleteFrom('serving_process')
    .where('seen_at', '<', at - forgottenAfter)
    .returning('storage')
    .execute();
  for (const { storage: old } of gone) if (old) await storage.delete(old);
  if (mark) await db.deleteFrom('serving_process').where('host', '=', host).where('storage', '=', '').execute();
  await db
    .insertInto('serving_process')
    .values({
      id,
      host,
      pid: process.pid,
      number: processNumber ?? null,
      version: productVersion(),
      memory: process.memoryUsage.rss(),
      storage: mark,
      started_at: at,
      seen_at: at,
    })
    .execute();

  const others = () =>
    db
      .selectFrom('serving_process')
      .selectAll()
      // Skips processes on the same machine, which share the folder.
      .where('host', '!=', host)
      .where('storage', '!=', '')
      .where('seen_at', '>', now() - livesFor)
      .execute();
  const elsewhere = async () => {
    const found = [];
    for (const other of await others()) if (!(await storage.stat(other.storage))) found.push(other);
    return found;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    async stranger() {
      let suspects = await elsewhere();
      // Waits for another heartbeat of the suspected processes: a process that has just ended is no reason to refuse.
      for (let waited = 0; suspects.length > 0 && waited < 2.5 * every; waited += every / 10) {
        const then = await elsewhere();
        const living = then.find((one) =>
          suspects.some(({ id: known, seen_at }) => known === one.id && one.seen_at > seen_at),
        );
        if (living) return living.host;
        suspects = suspects.filter(({ id: known }) => then.some((one) => one.id === known));
        await pause(every * 100);
      }
      return undefined;
    },
    async refuse() {
      await db.updateTable('serving_process').set({ storage: '' }).where('id', '=', id).execute();
      if (mark) await storage.delete(mark);
    },
    start() {
      const note = async () => {
        await db
          .updateTable('serving_process')
          .set({ seen_at: now(), memory: process.memoryUsage.rss() })
          .where('id', '=', id)
          .execute();
        for (const { host: other } of await elsewhere())
          log.error({ other }, 'another process keeps its files elsewhere');
      };
      timer ??= withoutDeadline(() =>
        setInterval(() => {
          note().catch((error: unknown) => log.warn({ err: error }, 'no sign of life noted'));
        }, every * 1_000).unref(),
      );
    },
    async leave() {
      clearInterval(timer);
      await db.deleteFrom('serving_process').where('id', '=', id).execute();
      if (mark) await storage.delete(mark);
    },
  };
}

/** Puts the marker file into the storage, where processes with the same storage find it. Returns its key. */
async function leaveMark(storage: Storage, id: string): Promise<string> {
  const put = await storage.put(Readable.from([Buffer.from(id)]), { extension: 'txt', limit: 100 });
  if (!('ok' in put)) throw new Error(put.message);
  return put.ok.key;
}

/** Message for the administrator who starts a process whose file storage differs. */
export const otherStorageMessage = (host: string): string =>
  `The school is served from this database by ${host} as well, and what is kept there is not found here: both have to keep their files in the same place. Set S3_BUCKET, or a VAR_DIR that all machines share, for each of them.`;
