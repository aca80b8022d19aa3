/** Column assignment of a single list: guessed, or chosen by a person. */

import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, isRefusal, type Refusal, refuseFile, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { StagedFile, Storage } from '#server/platform/files/storage.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { MappingShown, mapImport } from './contract.ts';
import { workOnFile } from './file-thread.ts';
import { listChoices, requiredColumns } from './formats/people-columns.ts';
import { guessColumns } from './formats/people-mapping.ts';
import type { UploadedFile } from './formats/read.ts';
import { importersByKind } from './kinds.ts';
import { readUpload } from './read-upload.ts';
import { checkFault, importBytes, importMessages } from './rules.ts';
import type { Source } from './source.ts';
import { isWhollyRefused, type ListPreview, type Mapping } from './source-record.ts';
import { findImport, type ImportRequest, runJob, type StartedImport } from './store-upload.ts';
import { storedImport } from './stored-import.ts';
import { replaceReading, uploadFaults } from './upload.ts';

/** 404: no such import. 409: not a single list. */
export async function mappingOfImport(
  context: ImportRequest,
  id: number,
  { kind: asked }: { kind?: Mapping['kind'] | undefined },
): Promise<MappingShown | Refusal> {
  const one = await findImport(context, id);
  if (isRefusal(one)) return one;
  const { list, mode, failure } = one;
  if (!list) return conflict(importMessages.notAList);
  const kind = asked ?? list.mapping.kind;
  const mapping = kind === list.mapping.kind ? list.mapping : guessColumns(kind, list);
  return {
    kind,
    mode,
    failure,
    columns: list.heads.map((head) => ({ head, field: mapping.columns[head] ?? '' })),
    examples: list.examples,
    choices: [...listChoices[kind]],
    required: requiredColumns(kind),
  };
}

/**
 * Reads a list again with the assigned columns, checks it, and remembers them for the source. 404: no such import. 409:
 * not a single list, applied already, or its file was purged. 422: errors by column.
 */
export async function mapColumns(
  context: ImportRequest & RuleContext<'storage'>,
  id: number,
  { kind, mode, columns }: BodyOf<typeof mapImport>,
): Promise<StartedImport | Refusal> {
  const one = await findImport(context, id);
  if (isRefusal(one)) return one;
  const refusal = refuseFor('conflict', one.list ? checkFault(one) : importMessages.notAList);
  if (refusal || !one.list) return refusal ?? conflict(importMessages.notAList);
  const mapping = mappingSaid(one.list, kind, columns);
  if (isRefusal(mapping)) return mapping;
  const { db, database, storage, now, settings } = context;
  const of = await db
    .selectFrom('import_source')
    .select(['name', 'owner'])
    .where('id', '=', one.source_id)
    .executeTakeFirstOrThrow();
  const source = { id: one.source_id, of };
  const staged = await stagedAgain(storage, one.file_key);
  if (isRefusal(staged)) return staged;
  try {
    const file = { name: one.file_name, path: staged.path };
    const order = { id, file, source, said: { mapping, mode }, timezone: settings.timezone, now };
    const faults = await workOnFile(database, staged.path, { here: rereadWithMapping, apart: 'mapInWorker', order });
    if (faults) return invalid({ columns: faults });
    return await runJob(context, id, 'check');
  } finally {
    await staged.discard();
  }
}

/** Returns why the file cannot be read this way; null: it was, or another job is checking it. */
export async function rereadWithMapping(
  db: Database,
  { id, file, source, said, timezone, now }: MapOrder,
): Promise<string[] | null> {
  const reading = await readUpload(file, { db, source: source.of, timezone, said });
  if (isWhollyRefused(reading)) return uploadFaults(reading).map(({ message }) => message);
  await db.transaction().execute(async (trx) => {
    // Locks the import against a concurrent check.
    const lockedImport = await storedImport(trx, id, { hold: true });
    if (checkFault(lockedImport)) return;
    await replaceReading({ db: trx, now, owners: importersByKind({ timezone, now }) }, id, reading);
    await trx
      .updateTable('import_source')
      .set({ mapping: JSON.stringify(said.mapping) })
      .where('id', '=', source.id)
      .execute();
  });
  return null;
}

interface MapOrder {
  id: number;
  file: UploadedFile;
  source: { id: number; of: Source };
  said: { mapping: Mapping; mode: 'bulk' | 'delta' };
  timezone: string;
  now: number;
}

/** 422: other columns than the list has, one assigned twice, or one missing. */
function mappingSaid({ heads }: ListPreview, kind: Mapping['kind'], columns: readonly string[]): Mapping | Refusal {
  if (columns.length !== heads.length) return invalid({ columns: [importMessages.otherColumns] });
  const errors: FieldErrors = {};
  const taken = new Set<string>();
  const said: Mapping = { kind, columns: {} };
  heads.forEach((head, at) => {
    const field = listChoices[kind].find((choice) => choice === columns[at]) ?? '';
    if (field !== '' && taken.has(field)) errors[`column-${at}`] = [importMessages.columnTwice(field)];
    taken.add(field);
    said.columns[head] = field;
  });
  const missing = requiredColumns(kind).filter((field) => !taken.has(field));
  if (missing.length > 0) errors.columns = missing.map(importMessages.noColumn);
  return Object.keys(errors).length > 0 ? invalid(errors) : said;
}

/** The uploaded file as a local file. 409: it was purged. */
async function stagedAgain(storage: Storage, key: string): Promise<StagedFile | Refusal> {
  const bytes = key === '' ? null : await storage.read(key);
  if (!bytes) return conflict(importMessages.listGone);
  const staged = await storage.stage(bytes, { limit: importBytes });
  return 'ok' in staged ? staged.ok : refuseFile(staged);
}
