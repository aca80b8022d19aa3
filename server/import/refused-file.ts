/** The file of rows that cannot be imported: in the format of the upload, or else a CSV of reasons. */

import { conflict, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { RuleContext } from '#server/school/context.ts';
import { processFile } from './file-thread.ts';
import type { UploadedFile } from './formats/read.ts';
import { csvOf, type DownloadFile, extractRefusedRows } from './formats/refused-rows.ts';
import { refusedByPlace, refusedRows } from './remarks.ts';
import { busyFault, importBytes, missingImport } from './rules.ts';
import type { ListPreview } from './source-record.ts';
import { visibleImports } from './visible.ts';

/** Returns the file. 404: no such import. 409: a job is running, which is still writing rows. */
export async function refusedFile(
  { db, database, actor, storage }: RuleContext<'actor' | 'storage' | 'database'>,
  id: number,
): Promise<{ name: string; type: string; bytes: Uint8Array<ArrayBuffer> } | Refusal> {
  const one = await visibleImports(db, actor)
    .select(['import.id', 'import.file_name', 'import.file_key', 'import.job', 'import.list'])
    .where('import.id', '=', id)
    .executeTakeFirst();
  if (!one) return missing(missingImport);
  const busy = busyFault(one);
  if (busy) return conflict(busy);
  const shaped = await shapeInWorker({ database, storage }, one);
  if (shaped) {
    const { extension, type, bytes } = shaped;
    return { name: `${one.file_name.replace(/\.\w{1,5}$/, '')}-不能导入的行.${extension}`, type, bytes };
  }
  return { name: `不能导入的行-${id}.csv`, ...csvOf(await refusedRows(db, id)) };
}

async function shapeInWorker(
  { database, storage }: Pick<RuleContext<'storage' | 'database'>, 'storage' | 'database'>,
  { id, file_name, file_key, list }: { id: number; file_name: string; file_key: string; list: string },
): Promise<DownloadFile | undefined> {
  const stored = file_key === '' ? null : await storage.read(file_key);
  if (!stored) return undefined;
  const staged = await storage.stage(stored, { limit: importBytes });
  if (!('ok' in staged)) return undefined;
  const { path, discard } = staged.ok;
  try {
    const { sheets = [] } = (list === '' ? {} : JSON.parse(list)) as Partial<ListPreview>;
    const classes = sheets.map(({ name, className }): [string, string] => [name, className]);
    const order = { id, file: { name: file_name, path }, classes };
    return await processFile(database, path, { inline: shapeRefusedRows, inWorker: 'refusedRowsInWorker', order });
  } finally {
    await discard();
  }
}

export const shapeRefusedRows = async (
  db: Database,
  { id, file, classes }: { id: number; file: UploadedFile; classes: readonly [string, string][] },
): Promise<DownloadFile | undefined> => extractRefusedRows(file, await refusedByPlace(db, id), new Map(classes));
