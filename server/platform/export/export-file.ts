/**
 * Files made in the background for one user, such as spreadsheets and papers. Their address works for that user only,
 * for an hour. While the file is being made, it answers the progress.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { envelopeResponse } from '#server/platform/calls/envelope.ts';
import { missing, Refusal } from '#server/platform/calls/outcome.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { serveFile } from '#server/platform/files/serve.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import type { QueueState } from '#server/platform/monitoring/queue.ts';

/** Seconds for which the address of a file works. */
const addressLifetime = 60 * 60;
/** Seconds without progress after which a file counts as failed, because its process must have ended. */
const progressTimeout = 120;
/** Milliseconds that the request waits for the file, so that a small file is ready at once. */
const requestWait = 2_000;
/** Milliseconds between two progress updates. */
const progressInterval = 1_000;
const sizeLimit = 2 * 1024 ** 3;

export const exportState = { making: 1, ready: 2, failed: 3 } as const;

export interface FileServices {
  db: Database;
  storage: Storage;
  log: Log;
}

export interface FileRequest {
  staffId: number;
  /** Unix seconds. */
  now: number;
  /** File name; any characters. */
  name: string;
  contentType: string;
  extension: string;
  /** Total amount of work, in the units that `progress` counts. */
  total: number;
  /** Produces the bytes, and calls `progress` with the amount of work done so far. */
  write(progress: (done: number) => void): ReadableStream<Uint8Array>;
}

/** Starts to make a file; returns its address without waiting for the file (see `fileResponse`). */
export async function startExportFile(services: FileServices, request: FileRequest): Promise<{ url: string }> {
  const token = randomBytes(24).toString('base64url');
  const { db } = services;
  await removeExpired(services, request.now);
  const { id } = await db
    .insertInto('export_file')
    .values({
      token,
      staff_id: request.staffId,
      name: request.name,
      content_type: request.contentType,
      state: exportState.making,
      done: 0,
      total: request.total,
      storage_key: null,
      created_at: request.now,
      updated_at: secondsNow(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(db, {
    actor: { id: request.staffId },
    now: request.now,
    record: 'export_file',
    recordId: id,
    action: 'export',
    before: null,
    after: { name: request.name },
  });
  await Promise.race([
    withoutDeadline(() => produce(services, id, request)),
    wait(requestWait, undefined, { ref: false }),
  ]);
  return { url: `/exports/${token}` };
}

/** Never rejects: a failure is recorded in the file's row and in the log. */
async function produce({ db, storage, log }: FileServices, id: number, request: FileRequest): Promise<void> {
  const note = (change: { done?: number; state?: 1 | 2 | 3; storage_key?: string }) =>
    db
      .updateTable('export_file')
      .set({ ...change, updated_at: secondsNow() })
      .where('id', '=', id)
      .execute();
  let done = 0;
  const notes = setInterval(() => {
    note({ done }).catch((error) => log.error({ err: error }, 'export not noted'));
  }, progressInterval);
  try {
    const bytes = request.write((count) => {
      done = count;
    });
    const put = await storage.put(bytes, {
      extension: request.extension,
      contentType: request.contentType,
      limit: sizeLimit,
    });
    if ('refused' in put) throw new Error(put.message);
    const { numUpdatedRows } = await db
      .updateTable('export_file')
      .set({ state: exportState.ready, storage_key: put.ok.key, done: request.total, updated_at: secondsNow() })
      .where('id', '=', id)
      .where('state', '=', exportState.making)
      .executeTakeFirst();
    // If the row was deleted meanwhile, a person named in the file was erased, so the file is deleted too.
    if (numUpdatedRows === 0n) await storage.delete(put.ok.key);
  } catch (error) {
    log.error({ err: error }, 'export failed');
    await note({ state: exportState.failed }).catch((again) => log.error({ err: again }, 'export not noted'));
  } finally {
    clearInterval(notes);
  }
}

/** Seconds in which failures are counted; longer than any file takes. */
const failuresWindow = 24 * 60 * 60;

/** Returns the number of files in progress, and how many failed in the last day. */
export async function exportQueueState(db: Database, now: number): Promise<QueueState> {
  const making = await db
    .selectFrom('export_file')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.min('created_at').as('oldestAt')])
    .where('state', '=', exportState.making)
    .where('created_at', '>', now - failuresWindow)
    .where('updated_at', '>', secondsNow() - progressTimeout)
    .executeTakeFirstOrThrow();
  const { failing } = await db
    .selectFrom('export_file')
    .select(({ fn }) => fn.countAll<number>().as('failing'))
    .where('state', '=', exportState.failed)
    .where('created_at', '>', now - failuresWindow)
    .executeTakeFirstOrThrow();
  return { waiting: Number(making.all), oldestAt: making.oldestAt, failing: Number(failing), error: '' };
}

/**
 * Now in unix seconds by this machine's clock, not the request's, because progress goes on after the request has ended.
 */
const secondsNow = () => Math.floor(Date.now() / 1000);

/** Answers the file, or 202 with its progress. 404: it was made for somebody else. 410: expired. */
export async function fileResponse(
  { db, storage }: Pick<FileServices, 'db' | 'storage'>,
  { token, actor, request, now }: { token: string; actor: Actor; request: Request; now: number },
): Promise<Response | Refusal> {
  const file = await db
    .selectFrom('export_file')
    .selectAll()
    .where('token', '=', token)
    .where('staff_id', '=', actor.id)
    .executeTakeFirst();
  if (!file) return missing('文件不存在');
  if (now >= file.created_at + addressLifetime) return new Refusal('gone', '下载链接已过期，请重新导出');
  if (file.state === exportState.making && secondsNow() - file.updated_at < progressTimeout) {
    const data = { done: Math.min(file.done, file.total), total: file.total, name: file.name };
    return envelopeResponse({ code: 202, msg: '文件正在生成', data }, { 'retry-after': '2' });
  }
  if (file.state !== exportState.ready || file.storage_key === null) {
    return new Refusal('away', '文件生成失败，请重新导出');
  }
  return serveFile(storage, file.storage_key, {
    name: file.name,
    contentType: file.content_type,
    request,
    // A PDF opens in the browser; other types are downloaded.
    disposition: 'inline',
  });
}

/** Purges a few expired files whenever a new one is made. */
async function removeExpired({ db, storage }: FileServices, now: number): Promise<void> {
  const expired = await db
    .selectFrom('export_file')
    .select(['id', 'storage_key'])
    .where('created_at', '<=', now - addressLifetime)
    .where('storage_key', 'is not', null)
    .orderBy('created_at')
    .limit(20)
    .execute();
  for (const { id, storage_key } of expired) {
    if (storage_key) await storage.delete(storage_key);
    await db.updateTable('export_file').set({ storage_key: null }).where('id', '=', id).execute();
  }
}

/**
 * Purges at most `most` exports made before `madeBefore` (unix seconds), with their files; returns how many. Until an
 * export is purged, its address answers that it has expired.
 */
export async function purgeExports(
  { db, storage }: Pick<FileServices, 'db' | 'storage'>,
  { madeBefore, most }: { madeBefore: number; most: number },
): Promise<number> {
  const old = await db
    .selectFrom('export_file')
    .select(['id', 'storage_key'])
    .where('created_at', '<', madeBefore)
    .orderBy('created_at')
    .limit(most)
    .execute();
  for (const { storage_key } of old) if (storage_key) await storage.delete(storage_key);
  if (old.length > 0) {
    const ids = old.map(({ id }) => id);
    await db.deleteFrom('export_file').where('id', 'in', ids).execute();
  }
  return old.length;
}
