/**
 * Format of a backup: a tar archive, compressed by zstd, and encrypted by age if a key is given. Written and read as a
 * stream. It can be opened without this product: `age -d`, `zstd -d`, `tar -x`.
 *
 * Entries in order: `about`, `session-secret`, `files/…`, the database copy, `files.jsonl` with size and hash of each
 * file, and `manifest`. An archive without `manifest` is truncated.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Encrypter } from 'age-encryption';
import type { DatabaseContents, TableState } from '#server/platform/db/copy.ts';
import type { Engine } from '#server/platform/db/engine.ts';
import { packTar, readTar, type TarEntry } from '#server/platform/files/tar.ts';
import { type BackupKeys, isEncrypting } from './keys.ts';

/** First entry of the archive; read before anything is unpacked. */
export interface AboutEntry {
  product: 'lectern';
  /** Version of the archive format; this code refuses archives with a later one. */
  format: number;
  /** Version of the product that wrote the archive. */
  version: string;
  engine: Engine;
  migrations: string[];
  /** `database`: a restore point, made before a migration, which changes no stored files. */
  parts: 'all' | 'database';
  /** When the backup began, unix seconds. */
  made_at: number;
}

export interface Manifest extends AboutEntry, DatabaseContents {
  tables: Record<string, TableState>;
  database: { bytes: number; sha256: string };
  files: {
    count: number;
    bytes: number;
    /** Hash of `files.jsonl`. */
    sha256: string;
    /** The first few keys of files that the database names but the storage lacks. */
    missing: string[];
    missing_count: number;
  };
  ended_at: number;
}

/** A line of `files.jsonl`. */
export interface FileLine {
  key: string;
  size: number;
  sha256: string;
}

export const archiveFormat = 1;
export const entryNames = {
  about: 'about',
  secret: 'session-secret',
  files: 'files/',
  list: 'files.jsonl',
  manifest: 'manifest',
} as const;

/** Says why a backup cannot be made or read; the message is a sentence for the administrator. */
export class BackupError extends Error {}

/** Cost of deriving a key from a passphrase, as a power of two: scrypt then takes 64 MB and a quarter of a second. */
const scryptWork = 16;

export const entryOf = (name: string, text: string): TarEntry => {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, bytes: Readable.from([bytes]) };
};

/**
 * Writes an archive and returns its size in bytes. The file gets its final name only once it is complete and flushed to
 * disk.
 */
export async function writeArchive(
  file: string,
  entries: AsyncIterable<TarEntry>,
  { keys, at }: { keys: BackupKeys; at: number },
): Promise<number> {
  const part = `${file}.${randomUUID().slice(0, 8)}.part`;
  const encrypter = isEncrypting(keys) ? await encrypterFor(keys) : undefined;
  const compressed = toNodeStream(packTar(checkSizes(entries), at)).compose(
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }),
  );
  try {
    const bytes = encrypter ? toNodeStream(await encrypter.encrypt(toWeb(compressed))) : compressed;
    await pipeline(bytes, createWriteStream(part, { flags: 'w', mode: 0o600, flush: true }));
    const handle = await open(part);
    const { size } = await handle.stat().finally(() => handle.close());
    await rename(part, file);
    return size;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Passes the entries on; throws a BackupError if one has more or fewer bytes than its stated size. */
async function* checkSizes(entries: AsyncIterable<TarEntry>): AsyncGenerator<TarEntry> {
  for await (const { name, size, bytes } of entries) {
    const counted = async function* () {
      let count = 0;
      for await (const chunk of bytes) {
        count += chunk.length;
        if (count <= size) yield chunk;
      }
      if (count !== size) throw new BackupError(`${name} has ${count} bytes, and should have ${size}.`);
    };
    yield { name, size, bytes: counted() };
  }
}

/** Throws a BackupError if the key is invalid, for instance mistyped. */
async function encrypterFor({ recipient, passphrase }: BackupKeys): Promise<Encrypter> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if (recipient) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new BackupError(`${recipient} is no public key of age: a letter of it is wrong, or some are missing.`);
    }
  } else {
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(scryptWork);
  }
  return encrypter;
}

const toWeb = (source: Readable) => Readable.toWeb(source) as NodeReadableStream as ReadableStream<Uint8Array>;
const toNodeStream = (source: ReadableStream<Uint8Array> | NodeReadableStream<Uint8Array>) =>
  Readable.fromWeb(source as NodeReadableStream<Uint8Array>);

const ageHead = 'age-encryption.org/v1';

async function isEncrypted(file: string): Promise<boolean> {
  const unreadable = (error: NodeJS.ErrnoException) => {
    throw new BackupError(error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read.`);
  };
  const handle = await open(file).catch(unreadable);
  try {
    // A path that is a folder opens without an error, but reading it fails.
    const { buffer, bytesRead } = await handle
      .read(Buffer.alloc(ageHead.length), 0, ageHead.length, 0)
      .catch(unreadable);
    return buffer.toString('latin1', 0, bytesRead) === ageHead;
  } finally {
    await handle.close();
  }
}

/** True if the given keys can open the archive; an unencrypted one needs no key. */
export async function canDecrypt(file: string, { passphrase, identity }: BackupKeys): Promise<boolean> {
  return !(await isEncrypted(file)) || passphrase !== '' || identity !== '';
}

/** Yields the entries of an archive in order; see `readTar`. */
export async function* readArchive(file: string, keys: BackupKeys): AsyncGenerator<TarEntry> {
  const isLocked = await isEncrypted(file);
  const source = createReadStream(file, { highWaterMark: 1 << 18 });
  const decompressing = createZstdDecompress();
  try {
    const bytes = isLocked ? await decrypted(source, keys, file) : source;
    // A read error destroys the decompressor, so that whoever reads from it gets the error.
    pipeline(bytes, decompressing).catch((error: unknown) => decompressing.destroy(error as Error));
    yield* readTar(decompressing);
  } finally {
    source.destroy();
    decompressing.destroy();
  }
}

async function decrypted(source: Readable, { passphrase, identity }: BackupKeys, file: string): Promise<Readable> {
  if (!passphrase && !identity)
    throw new BackupError(
      `${file} is encrypted: give its key as BACKUP_IDENTITY, or its passphrase as BACKUP_PASSPHRASE.`,
    );
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  try {
    if (identity) decrypter.addIdentity(identity);
  } catch {
    throw new BackupError('BACKUP_IDENTITY is no private key of age: a letter of it is wrong, or some are missing.');
  }
  if (passphrase) decrypter.addPassphrase(passphrase);
  try {
    return toNodeStream(await decrypter.decrypt(toWeb(source)));
  } catch {
    throw new BackupError(`${file} is not encrypted for this key, or with this passphrase.`);
  }
}
