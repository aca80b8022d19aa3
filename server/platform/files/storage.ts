/**
 * Where files are kept: a folder by default, an S3 bucket by settings.
 *
 * Every upload is first staged: streamed to a file of this machine under a temporary name, with its size limited while
 * it streams. So a check may look at any byte of it (a ZIP's directory stands at its end) without holding it in memory,
 * and an upload that is cut off or refused leaves nothing in the storage. What passes is then moved in at one stroke.
 */
import { randomBytes } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, copyFile, mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { cutOff, fileTooLarge } from './rules.ts';

export interface StorageSettings {
  /** Folder of the files, and of what is being received where the files themselves are in a bucket. */
  directory: string;
  bucket?: {
    name: string;
    region: string;
    endpoint?: string;
    credentials?: { accessKeyId: string; secretAccessKey: string };
  };
}

/** What the environment says: the data folder, or a bucket. */
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

/** A received file that nobody has accepted yet. Whoever asked for it either keeps or discards it. */
export interface StagedFile {
  /** Absolute or working-directory path on this machine. */
  path: string;
  /** Bytes. */
  size: number;
  discard(): Promise<void>;
}

export interface StoredFile {
  key: string;
  /** Bytes. */
  size: number;
}

/** First and last byte, both inclusive, as in RFC 9110 section 14. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Storage {
  /** Streams `source` to a temporary file. Refused: 413 beyond `limit` bytes, 400 when the source breaks off. */
  stage(source: ByteSource, options: { limit: number }): Promise<{ ok: StagedFile } | FileRefusal>;
  /** Moves a staged file in under a new random key `yyyy/mm/<random>.<extension>`. */
  keep(staged: StagedFile, file: { extension: string; contentType?: string }): Promise<StoredFile>;
  /** Stages and keeps in one go, for bytes that need no check. */
  put(
    source: ByteSource,
    file: { extension: string; contentType?: string; limit: number },
  ): Promise<{ ok: StoredFile } | FileRefusal>;
  /** Null: no such file, or not a key of ours. */
  stat(key: string): Promise<{ size: number; modified: Date } | null>;
  /** The bytes, or those of the range. Null: no such file. The caller keeps the range inside the file. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** The whole file in memory, for pictures and the like. Null: no such file, or more than `limit` bytes. */
  readWhole(key: string, limit: number): Promise<Uint8Array<ArrayBuffer> | null>;
  delete(key: string): Promise<void>;
  /** Rejects where the folder or the bucket cannot be reached. That it is full is no reason: what is there can be read. */
  check(): Promise<void>;
  /** Where it is, what is kept, and the room that is left. How much a bucket keeps is not known here. */
  usage(): Promise<StorageUsage>;
  /** Every file that is kept, with its size in bytes, in no order; one that comes or goes meanwhile may be among them. */
  list(): AsyncGenerator<StoredFile>;
  /** Puts a file back under the key that it had; what stands there already is replaced. */
  putBack(staged: StagedFile, file: StoredFile & { contentType: string }): Promise<void>;
  /** Removes what a crash left in the receiving folder, older than so many days. Returns how many files. */
  removeAbandoned(days?: number, now?: Date): Promise<number>;
}

export interface StorageUsage {
  kind: 'folder' | 'bucket';
  /** The whole path of the folder; the bucket's name, and at which address where one was given. */
  place: string;
  /** Null where it is not known, or not counted yet. */
  files: number | null;
  bytes: number | null;
  /** Of the disk that the folder lies on; null where it cannot be reached. */
  free: number | null;
}

/** What a key looks like wherever it is named, in words that databases know as well. */
export const keyPattern = '\\d{4}/\\d{2}/[a-z0-9]{26}\\.[a-z0-9]{1,8}';
const keyForm = new RegExp(`^${keyPattern}$`);
const receivingFolder = '.receiving';
const day = 24 * 60 * 60 * 1000;

/** Keys are made here alone; whatever does not look like one names no file. */
export function isStorageKey(key: string): boolean {
  return keyForm.test(key);
}

/** ASCII and lower case, so that a key is the same on every file system and in every bucket; 130 random bits. */
function newKey(extension: string, now: Date): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const random = Array.from(randomBytes(26), (byte) => alphabet[byte & 31]).join('');
  const month = String(now.getUTCMonth() + 1).padStart(2, '0');
  const key = `${now.getUTCFullYear()}/${month}/${random}.${extension}`;
  if (!isStorageKey(key)) throw new Error(`Not an extension for a stored file: ${extension}`);
  return key;
}

/** The sender is gone: to be told apart from our own disk failing, which is a fault and stays an Error. */
class SourceBroken extends Error {}
class LimitPassed extends Error {}

/** The folder or the bucket cannot be used now. */
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

/** The sentence for a storage that cannot be used now; undefined for any other error. */
export function storageAway(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (code === codes.full) return '存储空间不足，暂时无法保存，请稍后再试或联系管理员';
  return code === codes.away ? '文件服务暂时不可用，请稍后再试' : undefined;
}

/** What `work` comes to; that it fails means that the storage is away. */
async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageAway(error);
  }
}

async function* limited(source: ByteSource, limit: number, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
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
    // Lets go of a sender that is no longer listened to; its complaint about that is nobody's concern.
    await iterator.return?.().catch(() => undefined);
  }
}

/** What differs between a folder and a bucket. */
interface Place {
  disk: Disk;
  store(path: string, size: number, key: string, contentType: string | undefined): Promise<void>;
  /** Null: no such file. */
  open(key: string, range: ByteRange | undefined): Promise<Readable | null>;
  /** Rejects where it cannot be reached. */
  reach(): Promise<void>;
  list(): AsyncGenerator<StoredFile>;
}

function folder(directory: string): Place {
  return {
    disk: new Disk(new FSDriver({ location: directory, visibility: 'private' })),
    async store(path, _size, key) {
      const target = join(directory, key);
      await mkdir(dirname(target), { recursive: true });
      try {
        await rename(path, target);
      } catch (error) {
        // Only where someone mounted a month's folder elsewhere; the name still appears with the whole file behind it.
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
        const part = `${target}.part`;
        await copyFile(path, part)
          .then(() => rename(part, target))
          .finally(() => rm(part, { force: true }));
        await rm(path, { force: true });
      }
    },
    async open(key, range) {
      const stream = createReadStream(join(directory, key), range);
      return new Promise((resolve, reject) => {
        stream.once('open', () => resolve(stream));
        stream.once('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ENOENT' ? resolve(null) : reject(error),
        );
      });
    },
    // Where a shared folder is no longer mounted, an empty one lies below it: what the start has made there is missing.
    reach: () => access(join(directory, receivingFolder), constants.R_OK | constants.W_OK),
    async *list() {
      for (const year of await namesIn(directory))
        for (const month of await namesIn(join(directory, year)))
          for (const name of await namesIn(join(directory, year, month))) {
            const key = `${year}/${month}/${name}`;
            const found = isStorageKey(key) ? await stat(join(directory, key)).catch(() => undefined) : undefined;
            if (found) yield { key, size: found.size };
          }
    },
  };
}

/** None where it is no folder. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

/** The AWS packages take 100 ms and 30 MB to load: only a school that configures a bucket pays for them. */
async function bucket(settings: NonNullable<StorageSettings['bucket']>): Promise<Place> {
  const { GetObjectCommand, HeadBucketCommand, ListObjectsV2Command, S3Client } = await import('@aws-sdk/client-s3');
  const { S3Driver } = await import('flydrive/drivers/s3');
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint ? { endpoint: settings.endpoint } : {}),
    ...(settings.credentials ? { credentials: settings.credentials } : {}),
    forcePathStyle: true,
    // Milliseconds; the second is of silence, so that a large file on a slow line is not cut.
    requestHandler: { connectionTimeout: 2_000, socketTimeout: 10_000 },
    maxAttempts: 2,
    // The default checksums are a trailer that other makers' stores refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const disk = new Disk(new S3Driver({ client, bucket: settings.name, visibility: 'private', supportsACL: false }));
  return {
    disk,
    async store(path, size, key, contentType) {
      // The length is said beforehand: without it the client would have to hold the file to learn it.
      const contents = createReadStream(path);
      contents.on('error', () => undefined);
      try {
        await disk.putStream(key, contents, { contentLength: size, ...(contentType ? { contentType } : {}) });
      } finally {
        contents.destroy();
      }
      await rm(path, { force: true });
    },
    async open(key, range) {
      try {
        const answer = await client.send(
          new GetObjectCommand({
            Bucket: settings.name,
            Key: key,
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        );
        return answer.Body as Readable;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    // Of a file that is not there it could not be told whether the bucket is.
    async reach() {
      await client.send(new HeadBucketCommand({ Bucket: settings.name }));
    },
    async *list() {
      for (let from: string | undefined, more = true; more; ) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: settings.name, ...(from ? { ContinuationToken: from } : {}) }),
        );
        for (const { Key = '', Size = 0 } of page.Contents ?? []) if (isStorageKey(Key)) yield { key: Key, size: Size };
        from = page.NextContinuationToken;
        more = from !== undefined;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  const { code, cause, $metadata } = error as {
    code?: string;
    cause?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  if (code === 'ENOENT' || $metadata?.httpStatusCode === 404) return true;
  return cause instanceof Error && isMissing(cause);
}

/** Milliseconds for which a count of all files holds, and for which who asks waits for one. */
const countedFor = 10 * 60_000;
const countingPatience = 1_000;
/** Files that are looked at at the same time. */
const lookedAt = 64;

/** Counts what lies in a folder, for all who ask within some minutes. */
function countingIn(directory: string): () => Promise<{ files: number; bytes: number } | undefined> {
  let counting: { since: number; result: Promise<{ files: number; bytes: number } | undefined> } | undefined;
  return () => {
    if (!counting || performance.now() - counting.since > countedFor) {
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

/** Folders of the keys' first two parts. */
async function monthsIn(directory: string): Promise<string[]> {
  const years = (await readdir(directory)).filter((name) => /^\d{4}$/.test(name));
  const months = await Promise.all(
    years.map(async (year) => (await readdir(join(directory, year))).map((month) => join(directory, year, month))),
  );
  return months.flat();
}

/** Opens the storage and makes its folders. */
export async function createStorage(settings: StorageSettings): Promise<Storage> {
  const receiving = join(settings.directory, receivingFolder);
  await mkdir(receiving, { recursive: true });
  const place = settings.bucket ? await bucket(settings.bucket) : folder(settings.directory);

  const count = countingIn(settings.directory);

  const storage: Storage = {
    async stage(source, { limit }) {
      const path = join(receiving, randomBytes(16).toString('hex'));
      const discard = () => rm(path, { force: true });
      let size = 0;
      // Flushed: what is acknowledged afterwards survives a power cut.
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      // On a full disk the stream fails once more when it is closed, when the pipeline no longer listens.
      file.on('error', () => undefined);
      try {
        const bytes = limited(source, limit, (count) => {
          size = count;
        });
        await pipeline(bytes, file);
      } catch (error) {
        if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
        await discard();
        if (error instanceof LimitPassed) return { refused: 413, message: fileTooLarge(limit) };
        if (error instanceof SourceBroken) return { refused: 400, message: cutOff };
        throw new StorageAway(error);
      }
      return { ok: { path, size, discard } };
    },

    async keep(staged, { extension, contentType }) {
      const key = newKey(extension, new Date());
      try {
        await orAway(() => place.store(staged.path, staged.size, key, contentType));
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
        const { contentLength, lastModified } = await place.disk.getMetaData(key);
        return { size: contentLength, modified: lastModified };
      } catch (error) {
        if (isMissing(error)) return null;
        throw new StorageAway(error);
      }
    },

    async read(key, range) {
      if (!isStorageKey(key)) return null;
      const stream = await orAway(() => place.open(key, range));
      return stream && (Readable.toWeb(stream) as NodeReadableStream<Uint8Array> as ReadableStream<Uint8Array>);
    },

    async readWhole(key, limit) {
      const found = await storage.stat(key);
      if (!found || found.size > limit) return null;
      const stream = await storage.read(key);
      return stream && new Uint8Array(await orAway(() => new Response(stream).arrayBuffer()));
    },

    async delete(key) {
      if (isStorageKey(key)) await orAway(() => place.disk.delete(key));
    },

    async check() {
      await orAway(() => place.reach());
    },

    async usage() {
      if (settings.bucket) {
        const { name, endpoint } = settings.bucket;
        const place = endpoint ? `${name} @ ${new URL(endpoint).host}` : name;
        return { kind: 'bucket', place, files: null, bytes: null, free: null };
      }
      const place = resolve(settings.directory);
      const disk = await statfs(place).catch(() => undefined);
      const counted = await Promise.race([count(), pause(countingPatience, undefined, { ref: false })]);
      const { files = null, bytes = null } = counted ?? {};
      return { kind: 'folder', place, files, bytes, free: disk ? disk.bavail * disk.bsize : null };
    },

    async *list() {
      try {
        yield* place.list();
      } catch (error) {
        throw new StorageAway(error);
      }
    },

    async putBack(staged, { key, size, contentType }) {
      if (!isStorageKey(key)) throw new Error(`Not a key: ${key}`);
      await orAway(() => place.store(staged.path, size, key, contentType));
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
