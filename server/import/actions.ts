/** Actions of administrators on an import: upload, check, choose, apply, undo, discard, cancel. */

import type { BodyOf } from '#server/platform/calls/call.ts';
import { conflict, invalid, isRefusal, missing, Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { chooseImport, importRecords } from './actions.contract.ts';
import type { UploadChoices } from './differ.ts';
import { readRecords } from './formats/json.ts';
import { holdSentence, unconfirmedHolds } from './hold-rules.ts';
import { cancelImportJob } from './jobs.ts';
import { canBeUndone } from './retention.ts';
import {
  applyFault,
  cancelFault,
  checkFault,
  choiceFault,
  discardFault,
  importMessages,
  missingImportRow,
  sourceNameLimit,
  undoFault,
  unreadableFault,
} from './rules.ts';
import { sourceOfImporter } from './source.ts';
import type { RowChoice } from './staged-rows.ts';
import { storeUpload } from './store-file.ts';
import {
  findImport,
  hashOf,
  type ImportRequest,
  runJob,
  type StartedImport,
  startedImport,
  storeAndCheck,
  uploadRefusal,
} from './store-upload.ts';
import type { storedImport } from './stored-import.ts';
import { previewUndo } from './undo.ts';

/** Imports records sent as JSON. 422: errors by field, or no records. */
export async function importJson(
  context: ImportRequest,
  body: BodyOf<typeof importRecords>,
): Promise<StartedImport | Refusal> {
  const { source, records, mode, kinds } = body;
  const fault = sourceFault(source);
  if (fault) return fault;
  const reading = readRecords({ mode, kinds, records }, '记录');
  const hash = hashOf(JSON.stringify([mode, kinds, records]));
  return storeAndCheck(context, {
    source: sourceOfImporter(normalizeSourceName(source), context.actor),
    fileName: '接口',
    hash,
    reading,
  });
}

/**
 * Imports an uploaded file. 422: source missing, no file, or an unreadable one. A single list is stored even if its
 * columns are unknown.
 */
export async function uploadFile(
  context: ImportRequest & Pick<RuleContext<'storage'>, 'storage'> & { files: UploadedFile[] },
  { source }: { source: string },
): Promise<(StartedImport & { columns: '' | 'guessed' | 'open' }) | Refusal> {
  const [file] = context.files;
  const fault = sourceFault(source);
  if (!file) return invalid({ ...fault?.errors, file: [importMessages.noFile] });
  if (fault) return fault;
  const { db, actor, now, settings, database, storage, log } = context;
  const stored = await storeUpload(database, {
    file: { name: file.name, path: file.staged.path },
    source: sourceOfImporter(normalizeSourceName(source), actor),
    timezone: settings.timezone,
    importer: { id: actor.id, everySchool: actor.everySchool, permissions: actor.permissions },
    now,
  }).catch((error: unknown) => {
    log.error({ err: error }, 'an uploaded file was not read');
    return new Refusal('away', importMessages.failed);
  });
  if (isRefusal(stored)) return stored;
  if (stored.faults) return uploadRefusal(stored.faults);
  const { id, isUnread, columns } = stored;
  // The file is kept, so that the refused rows can later be returned in the file's own format.
  const extension = /^[a-z0-9]{1,8}$/.exec(extensionOf(file.name))?.[0] ?? 'bin';
  const { key: file_key } = await storage.keep(file.staged, { extension });
  await db.updateTable('import').set({ file_key }).where('id', '=', id).execute();
  const outcome = isUnread ? await startedImport(db, id) : await runJob(context, id, 'check');
  return isRefusal(outcome) ? outcome : { ...outcome, columns };
}

/** Trims the name of a source and collapses its spaces. */
const normalizeSourceName = (source: string): string => source.replace(/\s+/g, ' ').trim();

function sourceFault(source: string): Refusal | undefined {
  if (source.trim() === '') return invalid({ source: [importMessages.noSource] });
  return lengthOf(source) > sourceNameLimit ? invalid({ source: [importMessages.sourceLength] }) : undefined;
}

type FoundImport = Awaited<ReturnType<typeof storedImport>>;

/** Loads a visible import and checks that the action is allowed. 404: no such import. 409: not allowed now. */
async function findImportFor(
  context: Pick<ImportRequest, 'db' | 'actor'>,
  id: number,
  faultOf: (one: FoundImport) => string | undefined,
): Promise<FoundImport | Refusal> {
  const one = await findImport(context, id);
  return isRefusal(one) ? one : (refuseFor('conflict', faultOf(one)) ?? one);
}

/** Checks an import again. 404: no such import. 409: applied, discarded, or a job is running. */
export async function recheckImport(context: ImportRequest, id: number): Promise<StartedImport | Refusal> {
  const one = await findImportFor(context, id, (it) => unreadableFault(it) ?? checkFault(it));
  return isRefusal(one) ? one : runJob(context, id, 'check');
}

/** Stores choices for the whole upload. 404: no such import. 409: there is nothing to choose any more. */
export async function chooseForUpload(
  context: ImportRequest,
  id: number,
  { match, take }: BodyOf<typeof chooseImport>,
): Promise<StartedImport | Refusal> {
  const one = await findImportFor(context, id, choiceFault);
  if (isRefusal(one)) return one;
  const choices: UploadChoices = withChoice(one.choices, { match, take });
  await context.db
    .updateTable('import')
    .set({ choices: JSON.stringify(choices) })
    .where('id', '=', id)
    .execute();
  return runJob(context, id, 'check');
}

/** Stores the choice for one row. 404: no such import or row. 409: there is nothing to choose any more. */
export async function storeRowChoice(
  context: ImportRequest,
  { id, rowId }: { id: number; rowId: number },
  { match, take }: BodyOf<typeof chooseImport>,
): Promise<StartedImport | Refusal> {
  const { db } = context;
  const one = await findImport(context, id);
  if (isRefusal(one)) return one;
  const row = await db
    .selectFrom('import_row')
    .select('choice')
    .where('import_id', '=', id)
    .where('id', '=', rowId)
    .executeTakeFirst();
  if (!row) return missing(missingImportRow);
  const refusal = refuseFor('conflict', choiceFault(one));
  if (refusal) return refusal;
  const choice: RowChoice = withChoice(JSON.parse(row.choice) as RowChoice, { match, take });
  await db
    .updateTable('import_row')
    .set({ choice: JSON.stringify(choice) })
    .where('id', '=', rowId)
    .execute();
  return runJob(context, id, 'check');
}

type ImportChoice = Pick<BodyOf<typeof chooseImport>, 'match' | 'take'>;

function withChoice<Choice extends UploadChoices | RowChoice>(before: Choice, { match, take }: ImportChoice): Choice {
  const { match: _, ...rest } = before;
  const stored = match === undefined ? before : rest;
  return {
    ...stored,
    ...(match !== undefined && match !== 'ask' && { match }),
    ...(take !== undefined && { take: [...new Set(take)].slice(0, 200) }),
  } as Choice;
}

/**
 * Applies an import. 404: no such import. 409: not checked, held and not confirmed, or records changed since the check.
 */
export async function startApply(
  context: ImportRequest,
  id: number,
  { confirmed, departures }: { confirmed: Readonly<Record<string, unknown>>; departures: 0 | 1 },
): Promise<StartedImport | Refusal> {
  const one = await findImportFor(context, id, applyFault);
  if (isRefusal(one)) return one;
  const numbers = Object.fromEntries(
    Object.entries(confirmed).map(([name, number]) => [
      name,
      Number(String(number).normalize('NFKC').trim() || 'none'),
    ]),
  );
  const open = unconfirmedHolds(one.holds, { confirmed: numbers, departures: departures === 1 });
  if (open.length > 0) return conflict(holdSentence(open), { holds: open });
  return runJob(context, id, 'apply', { departures: departures === 1 });
}

/** Undoes an import. 404: no such import. 409: not applied, or its rows were purged. */
export async function startUndo(context: ImportRequest, id: number): Promise<StartedImport | Refusal> {
  return (await undoRefusal(context, id)) ?? runJob(context, id, 'undo');
}

async function undoRefusal(context: ImportRequest, id: number): Promise<Refusal | undefined> {
  const one = await findImport(context, id);
  if (isRefusal(one)) return one;
  return refuseFor('conflict', undoFault({ ...one, isKept: await canBeUndone(context, one) }));
}

/** Previews an undo. Refused for the same reasons as the undo itself. */
export async function previewImportUndo(context: ImportRequest, id: number) {
  const refusal = await undoRefusal(context, id);
  if (refusal) return refusal;
  const { db, actor: importer, now, settings } = context;
  const tried = await previewUndo(db, { importId: id, importer, now, timezone: settings.timezone });
  return tried ? { is_tried: 1 as const, ...tried } : { is_tried: 0 as const, goes: [], stays: [] };
}

/** Discards an import. 404: no such import. 409: applied, or a job is running. */
export async function discardImportOf(context: ImportRequest, id: number): Promise<null | Refusal> {
  const one = await findImportFor(context, id, discardFault);
  if (isRefusal(one)) return one;
  await context.db.updateTable('import').set({ state: 'discarded' }).where('id', '=', id).execute();
  return null;
}

/** Cancels the running job of an import. 404: no such import. 409: no job is running. */
export async function cancelJob(context: ImportRequest, id: number): Promise<null | Refusal> {
  const one = await findImportFor(context, id, cancelFault);
  if (isRefusal(one)) return one;
  await cancelImportJob(context.db, id);
  return null;
}
