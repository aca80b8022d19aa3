/** Reads and checks a backup, for restoring and for verification. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DatabaseContents } from '#server/platform/db/copy.ts';
import { isStorageKey } from '#server/platform/files/storage-key.ts';
import { ArchiveDamaged } from '#server/platform/files/tar.ts';
import { productVersion } from '#server/platform/monitoring/version.ts';
import { isBeforeVersion1, knownMigrations } from '#server/schema/migrate.ts';
import {
  type AboutEntry,
  archiveFormat,
  BackupError,
  entryNames,
  type FileLine,
  type Manifest,
  readArchive,
} from './archive.ts';
import type { BackupKeys } from './keys.ts';
import { openLedger } from './ledger.ts';
import { hashChunks } from './make.ts';

export interface ReadBackup {
  manifest: Manifest;
  /** Path of the unpacked database copy. */
  copy: string;
  /** Session secrets from the archive; the first one signs new cookies. */
  secrets: string[];
}

/**
 * Reads the whole archive and compares it with its manifest. `begin` is called before anything is unpacked; `take`
 * receives each stored file and must read all its bytes. Throws a BackupError at the first error.
 */
export async function readBackup(
  file: string,
  {
    keys,
    scratch,
    begin,
    take,
  }: {
    keys: BackupKeys;
    scratch: string;
    begin: (about: AboutEntry) => Promise<void>;
    take: (key: string, bytes: AsyncIterable<Uint8Array>, size: number) => Promise<void>;
  },
): Promise<ReadBackup> {
  const ledger = openLedger(scratch);
  const damaged = (what: string) => new BackupError(`${file} is damaged: ${what}.`);
  const damagedBy = (what: string): never => {
    throw damaged(what);
  };
  const textOf = async (content: AsyncIterable<Uint8Array>, limit: number): Promise<string> => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > limit) throw damaged('a part of it is larger than it can be');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  };
  let about: AboutEntry | undefined;
  let manifest: Manifest | undefined;
  let secrets: string[] = [];
  let copy: { path: string; sha256: string } | undefined;
  let listed: string | undefined;
  try {
    for await (const { name, size, bytes } of readArchive(file, keys)) {
      const hash = createHash('sha256');
      const content = hashChunks(bytes, hash);
      if (!about) {
        if (name !== entryNames.about) throw new BackupError(`${file} is no backup of this product.`);
        about = parseAbout(await textOf(content, smallBytes)) ?? damagedBy('its beginning cannot be read');
        const fault = aboutFault(about);
        if (fault) throw new BackupError(`${file} ${fault}`);
        await begin(about);
      } else if (name === entryNames.secret) secrets = (await textOf(content, smallBytes)).split('\n').filter(Boolean);
      else if (name.startsWith(entryNames.files)) {
        const key = name.slice(entryNames.files.length);
        if (!isStorageKey(key)) throw damaged(`it has a file ${key}, which none of this product's is called`);
        await take(key, content, size);
        ledger.keep({ key, size, sha256: hash.digest('hex') });
      } else if (name === entryNames.list) {
        let count = 0;
        for await (const line of createInterface({ input: Readable.from(content) })) {
          const entry = json<FileLine>(line);
          if (typeof entry?.key !== 'string') throw damaged('its list of files cannot be read');
          count += 1;
          const found = ledger.find(entry.key);
          if (found?.sha256 !== entry.sha256 || found.size !== entry.size)
            throw damaged(`the file ${entry.key} is ${found ? 'not what it was' : 'not in it'}`);
        }
        if (count !== ledger.sums().count) throw damaged('it has files that its list does not name');
        listed = hash.digest('hex');
      } else if (name === entryNames.manifest) {
        const entry = parseAbout(await textOf(content, manifestBytes)) as Manifest | undefined;
        manifest = entry?.tables && entry.files && entry.database ? entry : damagedBy('its end cannot be read');
      } else {
        if (!/^database\.(?:sqlite|dump)$/.test(name))
          throw damaged('it has parts that no version of this product writes');
        const at = path.join(scratch, name);
        await pipeline(content, createWriteStream(at, { mode: 0o600 }));
        copy = { path: at, sha256: hash.digest('hex') };
      }
    }
  } catch (error) {
    if (!(error instanceof ArchiveDamaged)) throw error;
    throw new BackupError(`${file} is no backup, is cut off, or is damaged.`, { cause: error });
  } finally {
    ledger.close();
  }
  if (!about || !manifest || !copy) throw damaged('it is cut off');
  if (listed !== manifest.files.sha256) throw damaged('its list of files is not what it was');
  if (copy.sha256 !== manifest.database.sha256) throw damaged('the database is not what it was');
  const fault = aboutFault(manifest);
  if (fault) throw new BackupError(`${file} ${fault}`);
  return { manifest, copy: copy.path, secrets };
}

/** Maximum bytes of the entry `about` and of the secrets, and of the manifest, which lists every table. */
const smallBytes = 1 << 20;
const manifestBytes = 16 << 20;

function json<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** Parses the first entry; undefined if this product did not write it. */
function parseAbout(text: string): AboutEntry | undefined {
  const about = json<Partial<AboutEntry> | null>(text);
  if (typeof about !== 'object' || about === null) return undefined;
  const { format, engine, migrations } = about;
  const isWhole =
    typeof format === 'number' &&
    (engine === 'sqlite' || engine === 'postgres') &&
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string');
  return isWhole ? (about as AboutEntry) : undefined;
}

/** Returns why this version cannot read the archive, as the end of an English sentence. */
export function aboutFault({ product, format, version, migrations }: AboutEntry): string | undefined {
  if (product !== 'lectern') return 'is no backup of this product.';
  const newer = migrations.filter((name) => !knownMigrations.includes(name));
  if (isBeforeVersion1(migrations))
    return `was made by version ${version} of this product, which this one (${productVersion()}) cannot migrate: restore it with that version.`;
  if (format > archiveFormat || newer.length > 0)
    return `was made by version ${version} of this product, which is newer than this one (${productVersion()}${newer.length > 0 ? `; it has ${newer.at(-1)}` : ''}): restore it with that version.`;
  return undefined;
}

/**
 * Returns a sentence that names the first table whose content differs from the copied database; undefined if all agree.
 */
export function contentsFault(read: DatabaseContents, copied: DatabaseContents): string | undefined {
  for (const name of new Set([...Object.keys(copied.tables), ...Object.keys(read.tables)])) {
    const [now, before] = [read.tables[name], copied.tables[name]];
    if (now?.rows !== before?.rows)
      return `The table ${name} had ${before?.rows ?? 'no'} rows, and has ${now?.rows ?? 'none'}.`;
    if (now?.fingerprint !== before?.fingerprint) return `The table ${name} has other rows than it had.`;
  }
  return undefined;
}
