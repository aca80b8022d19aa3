/** The two places for stored files: a folder, or an S3 bucket. storage.ts works with either. */
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { isStorageKey } from './storage-key.ts';

export interface BucketSettings {
  name: string;
  region: string;
  endpoint?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

export interface StoredFile {
  key: string;
  /** Bytes. */
  size: number;
}

/** Range with its first and last byte, both inclusive (RFC 9110 section 14). */
export interface ByteRange {
  start: number;
  end: number;
}

/** Folder of staged uploads. */
export const stagingFolder = '.receiving';

/** The operations in which a folder and a bucket differ. */
export interface StorageBackend {
  disk: Disk;
  store(path: string, size: number, key: string, contentType: string | undefined): Promise<void>;
  /** Opens a file or a range of it; null if there is no such file. */
  open(key: string, range: ByteRange | undefined): Promise<Readable | null>;
  /** Checks that the place is reachable; rejects if not. */
  reach(): Promise<void>;
  list(): AsyncGenerator<StoredFile>;
}

/** Keeps files in a folder of this machine or a network file system. */
export function openFolder(directory: string): StorageBackend {
  return {
    disk: new Disk(new FSDriver({ location: directory, visibility: 'private' })),
    async store(path, _size, key) {
      const target = join(directory, key);
      await mkdir(dirname(target), { recursive: true });
      try {
        await rename(path, target);
      } catch (error) {
        // The target folder is on another file system, so that a file cannot be moved there. Copies it under another
        // name first and then renames it, so that its name never shows a partial file.
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
    // Checks a folder that was created at startup. If a network folder is no longer mounted, it is missing.
    reach: () => access(join(directory, stagingFolder), constants.R_OK | constants.W_OK),
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

/** Names in a folder; [] if the path is no folder. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

/** Keeps files in an S3 bucket. The AWS packages are loaded only here: they take 100 ms and 30 MB. */
export async function openBucket(settings: BucketSettings): Promise<StorageBackend> {
  const { GetObjectCommand, HeadBucketCommand, ListObjectsV2Command, S3Client } = await import('@aws-sdk/client-s3');
  const { S3Driver } = await import('flydrive/drivers/s3');
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint ? { endpoint: settings.endpoint } : {}),
    ...(settings.credentials ? { credentials: settings.credentials } : {}),
    forcePathStyle: true,
    // Timeouts in milliseconds. `socketTimeout` only counts silence, so a large file on a slow line is not cut off.
    requestHandler: { connectionTimeout: 2_000, socketTimeout: 10_000 },
    maxAttempts: 2,
    // Sends checksums only where S3 requires them: compatible stores of other vendors refuse the default checksum
    // trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const disk = new Disk(new S3Driver({ client, bucket: settings.name, visibility: 'private', supportsACL: false }));
  return {
    disk,
    async store(path, size, key, contentType) {
      // The client is told the length, so that it need not buffer the file.
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
    // Asks for the bucket itself, because asking for a missing file would not show whether the bucket can be reached.
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

/** True if an error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  const { code, cause, $metadata } = error as {
    code?: string;
    cause?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  if (code === 'ENOENT' || $metadata?.httpStatusCode === 404) return true;
  return cause instanceof Error && isMissing(cause);
}
