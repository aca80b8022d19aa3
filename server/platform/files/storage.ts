/**
 * File storage: a folder by default, an S3 bucket by settings.
 *
 * Every upload is staged first: it is streamed to a temporary file of this machine under a size limit. Checks can then
 * read any part of the file without holding it in memory (the directory of a ZIP is at its end). An upload that is cut
 * off or refused leaves nothing in the storage. An accepted file is moved into the storage atomically.
 *
 * Sweeps: `removeAbandoned` for staged files here, system/unused-files.ts for unused uploads, courseware/file.ts for
 * files of courseware.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { fileTooLargeMessage, uploadInterruptedMessage } from './rules.ts';
import {
  type BucketSettings,
  type ByteRange,
  isMissing,
  openBucket,
  openFolder,
  type StoredFile,
  stagingFolder,
} from './storage-backends.ts';
import { isStorageKey, newKey } from './storage-key.ts';

export interface StorageSettings {
  /** Folder of the files; if there is a bucket, only of staged uploads. */
  directory: string;
  bucket?: BucketSettings;
}

/** Reads the settings from the environment. */
export function storageSettings(): StorageSettings {
  const directory = join(setting('VAR_DIR'), 'files');
  const [name, endpoint] = [setting('S3_BUCKET'), setting('S3_ENDPOINT')];
  if (!name) return { directory };
  const [accessKeyId, secretAccessKey] = [setting('S3_ACCESS_KEY'), setting('S3_SECRET_KEY')];
  return {
    directory,
    bucket: {
      name,
      region: setting('S3_REGION'),
      ...(endpoint ? { endpoint } : {}),
      ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    },
  };
}

export type ByteSource = ReadableStream<Uint8Array> | Readable | AsyncIterable<Uint8Array>;

/** A staged upload. The caller must either keep or discard it. */
export interface StagedFile {
  /** Path on this machine, absolute or relative to the working directory. */
  path: string;
  /** Bytes. */
  size: number;
  discard(): Promise<void>;
}

export interface Storage {
  /** Streams `source` to a temporary file. 413: more than `limit` bytes. 400: the source ended too early. */
  stage(source: ByteSource, options: { limit: number }): Promise<{ ok: StagedFile } | FileRefusal>;
  /** Moves a staged file into the storage under a new random key `yyyy/mm/<random>.<extension>`. */
  keep(staged: StagedFile, file: { extension: string; contentType?: string }): Promise<StoredFile>;
  /** Stages and keeps bytes that need no check. */
  put(
    source: ByteSource,
    file: { extension: string; contentType?: string; limit: number },
  ): Promise<{ ok: StoredFile } | FileRefusal>;
  /** Returns size and time of a file; null if there is no such file or the key is malformed. */
  stat(key: string): Promise<{ size: number; modified: Date } | null>;
  /** Streams the bytes, or a range of them, which must lie within the file. Null if there is no such file. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** Reads a whole file into memory. Null if there is no such file or it exceeds `limit` bytes. */
  readWhole(key: string, limit: number): Promise<Uint8Array<ArrayBuffer> | null>;
  delete(key: string): Promise<void>;
  /**
   * Health check: rejects if the folder or bucket is unreachable. A full disk is no failure, since files can still be
   * read.
   */
  check(): Promise<void>;
  /** Location, files, bytes and free space. The content of a bucket is not counted. */
  usage(): Promise<StorageUsage>;
  /** Lists every file with its size in bytes, in no order; concurrent changes may be missing. */
  list(): AsyncGenerator<StoredFile>;
  /** Restores a file under its former key; overwrites an existing file. */
  putBack(staged: StagedFile, file: StoredFile & { contentType: string }): Promise<void>;
  /** Deletes abandoned uploads: staged files that a crash left, older than `days`. Returns how many. */
  removeAbandoned(days?: number, now?: Date): Promise<number>;
}

export interface StorageUsage {
  kind: 'folder' | 'bucket';
  /** Absolute path of the folder, or the bucket's name with its endpoint. */
  place: string;
  /** Null if the number is unknown or not counted yet. */
  files: number | null;
  bytes: number | null;
  /** Free bytes on the folder's disk; null if it cannot be reached. */
  free: number | null;
}

const day = 24 * 60 * 60 * 1000;

/** Thrown if the sender disconnected. A failure of our own disk stays a plain Error. */
class SourceBroken extends Error {}
class LimitPassed extends Error {}

/** Thrown if the folder or bucket is unavailable. */
export class StorageAway extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super('the storage of files cannot be used', { cause });
    this.code = isFull(cause) ? codes.full : codes.away;
  }
}
const codes = { away: 'STORAGE_AWAY', full: 'STORAGE_FULL' };

const isFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as { code?: unknown } | null)?.code));

/** Returns the message for an unavailable or full storage; undefined for any other error. */
export function storageFault(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (code === codes.full) return '存储空间不足，暂时无法保存，请稍后再试或联系管理员';
  return code === codes.away ? '文件服务暂时不可用，请稍后再试' : undefined;
}

/** Runs `work`; any failure becomes `StorageAway`. */
async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageAway(error);
  }
}

async function* limitBytes(
  source: ByteSource,
  limit: number,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const next = await iterator.next().catch((cause) => {
        throw new SourceBroken('The source broke off', { cause });
      });
      if (next.done) return;
      size += next.value.byteLength;
      count(size);
      if (size > limit) throw new LimitPassed();
      yield next.value;
    }
  } finally {
    // Closes the source; an error of closing no longer matters.
    await iterator.return?.().catch(() => undefined);
  }
}

/** Milliseconds for which a file count is cached. */
const countLifetime = 10 * 60_000;
/** Milliseconds that a caller waits for a new count. */
const countTimeout = 1_000;
/** Number of files whose sizes are read at a time. */
const lookedAt = 64;

/** Counts the files of a folder; caches the count for ten minutes. */
function countingIn(directory: string): () => Promise<{ files: number; bytes: number } | undefined> {
  let counting: { since: number; result: Promise<{ files: number; bytes: number } | undefined> } | undefined;
  return () => {
    if (!counting || performance.now() - counting.since > countLifetime) {
      const result = contentOf(directory).catch(() => {
        counting = undefined;
        return undefined;
      });
      counting = { since: performance.now(), result };
    }
    return counting.result;
  };
}

async function contentOf(directory: string): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 };
  for (const month of await monthsIn(directory)) {
    const names = await readdir(month);
    for (let from = 0; from < names.length; from += lookedAt) {
      const some = names.slice(from, from + lookedAt).map((name) => stat(join(month, name)).catch(() => undefined));
      for (const found of await Promise.all(some)) {
        if (!found?.isFile()) continue;
        sum.files += 1;
        sum.bytes += found.size;
      }
    }
  }
  return sum;
}

/** Lists the folders `yyyy/mm` of stored files. */
async function monthsIn(directory: string): Promise<string[]> {
  const years = (await readdir(directory)).filter((name) => /^\d{4}$/.test(name));
  const months = await Promise.all(
    years.map(async (year) => (await readdir(join(directory, year))).map((month) => join(directory, year, month))),
  );
  return months.flat();
}

/** Opens the storage and creates its folders. */
export async function createStorage(settings: StorageSettings): Promise<Storage> {
  const receiving = join(settings.directory, stagingFolder);
  await mkdir(receiving, { recursive: true });
  const backend = settings.bucket ? await openBucket(settings.bucket) : openFolder(settings.directory);

  const count = countingIn(settings.directory);

  const storage: Storage = {
    async stage(source, { limit }) {
      const path = join(receiving, randomBytes(16).toString('hex'));
      const discard = () => rm(path, { force: true });
      let size = 0;
      // `flush` writes to disk (fsync) at the end, so that an upload that was confirmed survives a power cut.
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      // A second error is ignored: on a full disk the stream emits one when it closes, after the pipeline has ended.
      file.on('error', () => undefined);
      try {
        const bytes = limitBytes(source, limit, (count) => {
          size = count;
        });
        await pipeline(bytes, file);
      } catch (error) {
        if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
        await discard();
        if (error instanceof LimitPassed) return { refused: 413, message: fileTooLargeMessage(limit) };
        if (error instanceof SourceBroken) return { refused: 400, message: uploadInterruptedMessage };
        throw new StorageAway(error);
      }
      return { ok: { path, size, discard } };
    },

    async keep(staged, { extension, contentType }) {
      const key = newKey(extension, new Date());
      try {
        await withStorageErrors(() => backend.store(staged.path, staged.size, key, contentType));
      } catch (error) {
        await staged.discard();
        throw error;
      }
      return { key, size: staged.size };
    },

    async put(source, { limit, ...file }) {
      const staged = await storage.stage(source, { limit });
      return 'ok' in staged ? { ok: await storage.keep(staged.ok, file) } : staged;
    },

    async stat(key) {
      if (!isStorageKey(key)) return null;
      try {
        const { contentLength, lastModified } = await backend.disk.getMetaData(key);
        return { size: contentLength, modified: lastModified };
      } catch (error) {
        if (isMissing(error)) return null;
        throw new StorageAway(error);
      }
    },

    async read(key, range) {
      if (!isStorageKey(key)) return null;
      const stream = await withStorageErrors(() => backend.open(key, range));
      return stream && (Readable.toWeb(stream) as NodeReadableStream<Uint8Array> as ReadableStream<Uint8Array>);
    },

    async readWhole(key, limit) {
      const found = await storage.stat(key);
      if (!found || found.size > limit) return null;
      const stream = await storage.read(key);
      return stream && new Uint8Array(await withStorageErrors(() => new Response(stream).arrayBuffer()));
    },

    async delete(key) {
      if (isStorageKey(key)) await withStorageErrors(() => backend.disk.delete(key));
    },

    async check() {
      await withStorageErrors(() => backend.reach());
    },

    async usage() {
      if (settings.bucket) {
        const { name, endpoint } = settings.bucket;
        const place = endpoint ? `${name} @ ${new URL(endpoint).host}` : name;
        return { kind: 'bucket', place, files: null, bytes: null, free: null };
      }
      const place = resolve(settings.directory);
      const disk = await statfs(place).catch(() => undefined);
      const counted = await Promise.race([count(), pause(countTimeout, undefined, { ref: false })]);
      const { files = null, bytes = null } = counted ?? {};
      return { kind: 'folder', place, files, bytes, free: disk ? disk.bavail * disk.bsize : null };
    },

    async *list() {
      try {
        yield* backend.list();
      } catch (error) {
        throw new StorageAway(error);
      }
    },

    async putBack(staged, { key, size, contentType }) {
      if (!isStorageKey(key)) throw new Error(`Not a key: ${key}`);
      await withStorageErrors(() => backend.store(staged.path, size, key, contentType));
    },

    async removeAbandoned(days = 1, now = new Date()) {
      let removed = 0;
      for (const name of await readdir(receiving)) {
        const path = join(receiving, name);
        const found = await stat(path).catch(() => null);
        if (!found || now.getTime() - found.mtimeMs < days * day) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
  return storage;
}
