/**
 * Which processes serve from one database, and whether they keep their files in the same place: each puts a mark there and
 * looks for those of the others. On one machine it is; of several each would have a folder of its own, where no bucket or
 * shared folder is set, and would not find what the others have taken in.
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

type Asked = Pick<Services, 'database' | 'storage' | 'now' | 'log'>;

/** Seconds between two signs of life, for which one counts as there, and after which its mark goes. */
const noteEvery = { postgres: 10, sqlite: 60 };
const livesFor = 30;
const forgottenAfter = 24 * 60 * 60;

/** Seconds without a sign after which a process counts as gone. */
export const goneAfter = 3 * 60;

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

/** The newest first, with its mark. */
export const servingProcesses = (db: Database): Promise<(ServingProcess & { storage: string })[]> =>
  db
    .selectFrom('serving_process')
    .select(['host', 'pid', 'version', 'started_at', 'seen_at', 'memory', 'storage'])
    .orderBy('seen_at', 'desc')
    .orderBy('pid', 'desc')
    .execute();

/** `mark`: its own, as `servingProcesses` tells it. What cannot be reached now is not known. */
export async function filesOf(
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

export interface Presence {
  /** The host of another process that lives and keeps its files elsewhere; undefined: there is none. */
  stranger(): Promise<string | undefined>;
  /** It does not begin to serve, because of that: for a day, or until its machine has another that does, it is named so. */
  refuse(): Promise<void>;
  /** Signs of life from now on. */
  start(): void;
  /** It is gone. */
  leave(): Promise<void>;
}

/** Enters this process. The file of SQLite lies on the machine itself, where the others are as well: there it needs no mark. */
export async function enter(
  { database, storage, now, log }: Asked,
  {
    id = randomUUID(),
    host = hostname(),
    every = noteEvery[database.engine],
  }: { id?: string; host?: string; every?: number } = {},
): Promise<Presence> {
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
      // On the same machine they have the same folder.
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
      // One that has just ended is no reason: it is waited for its next sign of life.
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

/** Where others find it who keep their files in the same place. */
async function leaveMark(storage: Storage, id: string): Promise<string> {
  const put = await storage.put(Readable.from([Buffer.from(id)]), { extension: 'txt', limit: 100 });
  if (!('ok' in put)) throw new Error(put.message);
  return put.ok.key;
}

/** For whoever starts it. */
export const filesElsewhere = (host: string): string =>
  `The school is served from this database by ${host} as well, and what is kept there is not found here: both have to keep their files in the same place. Set S3_BUCKET, or a VAR_DIR that all machines share, for each of them.`;
