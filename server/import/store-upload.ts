import { createHash } from 'node:crypto';
import { conflict, missing, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { RuleContext } from '#server/school/context.ts';
import { claimImport, releaseLostJobs, startJob } from './jobs.ts';
import { importersByKind } from './kinds.ts';
import { type ImportJob, importMessages, missingImport } from './rules.ts';
import type { Source } from './source.ts';
import { isWhollyRefused, type ParsedUpload, type Remark } from './source-record.ts';
import { storedImport } from './stored-import.ts';
import { storeUploadRows, uploadFaults } from './upload.ts';
import { visibleImports } from './visible.ts';

export type ImportRequest = RuleContext<'actor' | 'now' | 'settings' | 'log' | 'database'>;

export type StartedImport = {
  id: number;
  state: Awaited<ReturnType<typeof storedImport>>['state'];
  job: '' | ImportJob;
};

/** SHA-256 hash as text. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64url');

/** Stores an upload and checks it. Calls `noted` with the import's id before the check. */
export async function storeAndCheck(
  context: ImportRequest,
  upload: { source: Source; fileName: string; hash: string; reading: ParsedUpload },
  noted?: (id: number) => Promise<void>,
): Promise<StartedImport | Refusal> {
  const { db, actor, now, settings } = context;
  if (isWhollyRefused(upload.reading)) return uploadRefusal(uploadFaults(upload.reading));
  const owners = importersByKind({ timezone: settings.timezone, now });
  const id = await storeUploadRows({ db, importer: actor, now, owners }, upload);
  await noted?.(id);
  return runJob(context, id, 'check');
}

export const uploadRefusal = (faults: readonly Remark[]): Refusal =>
  new Refusal('invalid', faults[0]?.message ?? importMessages.unreadable, {
    errors: {
      file: faults.map(({ file, row, field, message }) =>
        [file, row > 0 && `第${row}行`, field, message].filter(Boolean).join('：'),
      ),
    },
  });

/** Runs a job of an import. 409: another job is running, or the job failed. */
export async function runJob(
  context: ImportRequest,
  importId: number,
  job: ImportJob,
  { departures = true } = {},
): Promise<StartedImport | Refusal> {
  const { db, actor: importer, now, settings, database, log } = context;
  if (!(await claimImport(db, importId, job))) return conflict(importMessages.busy);
  const { id, everySchool, permissions } = importer;
  const order = { importId, job, departures, now, timezone: settings.timezone };
  const outcome = await startJob({ database, log }, { ...order, importer: { id, everySchool, permissions } });
  return outcome ?? startedImport(db, importId);
}

export async function startedImport(db: Database, id: number): Promise<StartedImport> {
  const { state, job } = await storedImport(db, id);
  return { id, state, job };
}

/** Loads a visible import. 404: no such import. */
export async function findImport({ db, actor }: Pick<ImportRequest, 'db' | 'actor'>, id: number) {
  const seen = await visibleImports(db, actor).select('import.id').where('import.id', '=', id).executeTakeFirst();
  if (!seen) return missing(missingImport);
  await releaseLostJobs(db, id);
  return storedImport(db, id);
}
