/** An import as stored, and what its jobs need. */

import { type Permission, permissionsFor } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { ImportActor } from '#server/school/importer.ts';
import type { DiffInput, UploadChoices } from './differ.ts';
import type { Hold } from './hold-rules.ts';
import { importersByKind } from './kinds.ts';
import type { ListPreview, RecordKind } from './source-record.ts';

/** The user of the command line, who has all permissions. */
export const commandLineActor: ImportActor = {
  id: null,
  everySchool: true,
  permissions: permissionsFor('admin') as readonly Permission[],
};

/** Input of an import job. Plain data, so that it can be sent to a worker. */
export interface JobInput {
  importId: number;
  importer: ImportActor;
  /** Unix seconds. */
  now: number;
  timezone: string;
}

/** Reports progress; returns false if the job was cancelled. */
export type Progress = (done: number) => Promise<boolean>;

/** Thrown when a job is cancelled, to roll back its transaction. */
export class ImportCancelled extends Error {}

export async function storedImport(db: Database, id: number, { hold = false } = {}) {
  const query = db.selectFrom('import').selectAll().where('id', '=', id);
  const row = await (hold ? forUpdate(db)(query) : query).executeTakeFirstOrThrow();
  return {
    ...row,
    kinds: JSON.parse(row.kinds) as RecordKind[],
    choices: JSON.parse(row.choices) as UploadChoices,
    counts: JSON.parse(row.counts) as Counts,
    holds: JSON.parse(row.holds) as Hold[],
    effects: JSON.parse(row.effects) as string[],
    /** Only a single list has a preview. */
    list: row.list === '' ? undefined : (JSON.parse(row.list) as ListPreview),
  };
}
export type StoredImport = Awaited<ReturnType<typeof storedImport>>;

/** Number of rows by kind and outcome. */
export type Counts = Partial<Record<string, Partial<Record<string, number>>>>;

export const diffOptionsOf = (db: Database, work: JobInput, upload: StoredImport): DiffInput => ({
  db,
  importer: work.importer,
  now: work.now,
  timezone: work.timezone,
  owners: importersByKind(work),
  upload,
});
