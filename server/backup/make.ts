/**
 * Makes a backup while the school goes on working.
 *
 * Stored files have random names and never change, and the archive needs only those that the database names. So files
 * are copied first, which may take hours, then a snapshot of the database, then the files added since. A file deleted
 * during the copy is already in the archive, and one added after the snapshot is not named by it. Only a file that was
 * added and deleted in between can be missing; then the database is copied once more.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readSecrets } from '#server/platform/auth/session-secret.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import type { Copier, DatabaseContents } from '#server/platform/db/copy.ts';
import { varFolder } from '#server/platform/db/location.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { keyPattern } from '#server/platform/files/storage-key.ts';
import type { TarEntry } from '#server/platform/files/tar.ts';
import { productVersion } from '#server/platform/monitoring/version.ts';
import {
  type AboutEntry,
  archiveFormat,
  BackupError,
  entryNames,
  entryOf,
  type FileLine,
  type Manifest,
  writeArchive,
} from './archive.ts';
import type { BackupKeys } from './keys.ts';
import { type Ledger, openLedger } from './ledger.ts';

export interface BackupSources {
  copier: Copier;
  storage: Storage;
  keys: BackupKeys;
  /** Unix seconds. */
  now: () => number;
}

export interface MadeBackup {
  file: string;
  /** Size of the archive. */
  bytes: number;
  manifest: Manifest;
}

/** Default folder for backups and restore points. */
export const backupFolder = (): string => path.resolve(setting('BACKUP_DIR') || path.join(varFolder(), 'backups'));

/**
 * Writes the archive `file`, whose folder is created if needed. Throws a BackupError or CopyError with a sentence for
 * the administrator.
 */
export async function makeBackup(
  { copier, storage, keys, now }: BackupSources,
  { file, parts, migrations }: { file: string; parts: AboutEntry['parts']; migrations: string[] },
): Promise<MadeBackup> {
  const folder = path.dirname(path.resolve(file));
  await mkdir(folder, { recursive: true });
  return withScratchFolder(folder, async (scratch) => {
    const ledger = openLedger(scratch);
    const about: AboutEntry = {
      product: 'lectern',
      format: archiveFormat,
      version: productVersion(),
      engine: copier.engine,
      migrations,
      parts,
      made_at: now(),
    };
    let manifest: Manifest | undefined;
    try {
      const bytes = await writeArchive(file, entries(), { keys, at: about.made_at });
      if (!manifest) throw new BackupError('The archive has no manifest.');
      return { file, bytes, manifest };
    } finally {
      ledger.close();
    }

    async function* entries(): AsyncGenerator<TarEntry> {
      yield entryOf(entryNames.about, json(about));
      const secrets = readSecrets();
      if (secrets.length > 0) yield entryOf(entryNames.secret, `${secrets.join('\n')}\n`);
      if (parts === 'all') yield* newFiles(storage, ledger);
      const copy = path.join(scratch, copier.fileName);
      const take = async (): Promise<DatabaseContents> => {
        ledger.forgetNamed();
        await rm(copy, { force: true });
        return copier.take(copy, { pattern: keyPattern, found: (key) => ledger.name(key) });
      };
      let contents = await take();
      if (parts === 'all') {
        yield* newFiles(storage, ledger);
        if (ledger.missing().count > 0) {
          contents = await take();
          yield* newFiles(storage, ledger);
        }
      }
      const { size } = await stat(copy);
      const copied = createHash('sha256');
      yield { name: copier.fileName, size, bytes: hashChunks(createReadStream(copy), copied) };
      const list = path.join(scratch, entryNames.list);
      const listed = createHash('sha256');
      await pipeline(Readable.from(lines(ledger.all())), createWriteStream(list));
      yield { name: entryNames.list, size: (await stat(list)).size, bytes: hashChunks(createReadStream(list), listed) };
      const missing = parts === 'all' ? ledger.missing() : { first: [], count: 0 };
      manifest = {
        ...about,
        ...contents,
        database: { bytes: size, sha256: copied.digest('hex') },
        files: {
          ...ledger.sums(),
          sha256: listed.digest('hex'),
          missing: missing.first,
          missing_count: missing.count,
        },
        ended_at: now(),
      };
      yield entryOf(entryNames.manifest, json(manifest));
    }
  });
}

const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

function* lines(files: Iterable<FileLine>): Generator<string> {
  for (const { key, size, sha256 } of files) yield `${JSON.stringify({ key, size, sha256 })}\n`;
}

/** Yields the stored files that are not in the archive yet; skips files deleted meanwhile. */
async function* newFiles(storage: Storage, ledger: Ledger): AsyncGenerator<TarEntry> {
  for await (const { key, size } of storage.list()) {
    if (ledger.has(key)) continue;
    const bytes = await storage.read(key);
    if (!bytes) continue;
    const hash = createHash('sha256');
    yield {
      name: `${entryNames.files}${key}`,
      size,
      bytes: hashChunks(bytes as unknown as AsyncIterable<Uint8Array>, hash),
    };
    ledger.keep({ key, size, sha256: hash.digest('hex') });
  }
}

export async function* hashChunks(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

const scratchName = '.backup-';
/** A scratch folder's name contains host and process id, which tell whether it is still in use. */
const scratchForm = /^\.backup-(?:([\w-]+)\.(\d+)\.)?\w+$/;
const hostLabel = () => hostname().replaceAll(/[^\w-]/g, '-');
/** Milliseconds after which a scratch folder counts as abandoned. */
const abandonedAfter = 24 * 60 * 60 * 1000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Runs `work` with a scratch folder and deletes the folder afterwards. Also deletes scratch folders that crashed
 * processes left behind.
 */
export async function withScratchFolder<T>(folder: string, work: (scratch: string) => Promise<T>): Promise<T> {
  for (const name of await readdir(folder)) {
    const left = path.join(folder, name);
    const [isScratch, host, pid] = scratchForm.exec(name) ?? [];
    if (!isScratch && !/\.tar\.zst(\.age)?.*\.(unverified|part)$/.test(name)) continue;
    const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: Date.now() }));
    const isOwnerGone = host === hostLabel() && !isAlive(Number(pid));
    if (isOwnerGone || Date.now() - mtimeMs > abandonedAfter) await rm(left, { recursive: true, force: true });
  }
  const scratch = await mkdtemp(path.join(folder, `${scratchName}${hostLabel()}.${process.pid}.`));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
