import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import type { ImportActor } from '#server/school/importer.ts';
import { processFile } from './file-thread.ts';
import { importersByKind } from './kinds.ts';
import { readUpload } from './read-upload.ts';
import type { Source } from './source.ts';
import { isWhollyRefused, type ListPreview, type Remark } from './source-record.ts';
import { storeUploadRows, uploadFaults } from './upload.ts';

export interface FileOrder {
  file: { name: string; path: string };
  source: Source;
  timezone: string;
  importer: ImportActor;
  now: number;
}

/**
 * Why nothing was stored; otherwise the import's id and, for a single list, whether a person must look at its columns.
 */
export type StoreOutcome =
  | { faults: Remark[]; id?: undefined }
  | { id: number; isUnread: boolean; columns: '' | 'guessed' | 'open'; faults?: undefined };

/** Reads and stores a file, a large one in a worker thread. Throws if the worker failed. */
export const storeUpload = (database: OpenDatabase, order: FileOrder): Promise<StoreOutcome> =>
  processFile(database, order.file.path, { inline: storeUploadInThread, inWorker: 'storeInWorker', order });

export async function storeUploadInThread(db: Database, order: FileOrder): Promise<StoreOutcome> {
  const { file, source, timezone, importer, now } = order;
  const hash = await hashOfFile(file.path);
  const reading = await readUpload(file, { db, source, importer, timezone, now, hash });
  const isUnread = isWhollyRefused(reading);
  if (isUnread && !reading.list) return { faults: uploadFaults(reading) };
  const owners = importersByKind({ timezone, now });
  const id = await storeUploadRows({ db, importer, now, owners }, { source, fileName: file.name, hash, reading });
  return { id, isUnread, columns: columnsOf(reading.list, isUnread) };
}

/**
 * Tells if a person must look at the columns. `open`: unreadable until they are assigned. `guessed`: to be confirmed.
 * '': no.
 */
const columnsOf = (list: ListPreview | undefined, isRefused: boolean): '' | 'guessed' | 'open' => {
  if (!list) return '';
  if (isRefused) return 'open';
  return list.isGuessed ? 'guessed' : '';
};

/** Returns a hash by which an identical file is recognised. */
export async function hashOfFile(at: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(at), hash);
  return hash.digest('base64url');
}
