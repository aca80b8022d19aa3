/**
 * Imports a file of questions, at once or in two steps: a preview kept for an hour, and its commit. import/preview.ts
 * parses the file.
 */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { conflict, invalid, isRefusal, missing, Refusal } from '#server/platform/calls/outcome.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { inspectPicture } from '#server/platform/files/image.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import { type Storage, storageAway } from '#server/platform/files/storage.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import type { ImportFilter, ImportNote, ImportState } from './contract.ts';
import { displayOf } from './display.ts';
import type {
  ImportedQuestion,
  ImportFormat,
  ImportPreview,
  ImportSource,
  SavePicture,
} from './import/imported-question.ts';
import { previewImport } from './import/preview.ts';
import type { QuestionDraft, QuestionType } from './rules.ts';
import { importMessages, missingImport } from './rules.ts';
import { noteAdded, storeQuestions } from './write.ts';

interface Importing {
  db: Database;
  storage: Storage;
  log: Log;
  actor: Actor;
  /** Unix seconds. */
  now: number;
}

/** Seconds a preview is kept. */
const keptFor = 60 * 60;
/** Seconds without progress after which the parser must have died. */
const silentFor = 120;
/** Milliseconds that the upload waits for a short file to be parsed. */
const patience = 1500;
/** Maximum messages of a failed import. */
const maxMessages = 200;

const formats: Record<string, ImportFormat> = { docx: 1, xlsx: 2 };
const wrongEnding: Record<ImportFormat, string> = { 1: importMessages.wordEnding, 2: importMessages.excelEnding };

// ---- direct import --------------------------------------------------------------------------------

/** Imports every question of the file or none. */
export async function importFile(
  { db: _, storage, actor, now }: Omit<Importing, 'log'>,
  file: UploadedFile | undefined,
  format: ImportFormat,
): Promise<Refusal | TransactionWork<null>> {
  if (!file) return noFile();
  if (formats[extensionOf(file.name)] !== format) return importRefused([wrongEnding[format]], 'wrong-type');
  const pictures = pictureKeeper(storage);
  const found = await previewImport(format, await readFile(file.staged.path), { savePicture: pictures.save });
  const faults = 'refused' in found ? [found.refused] : faultsOf(found);
  if ('refused' in found || faults.length > 0) {
    await pictures.drop();
    return importRefused(faults);
  }
  const drafts = found.questions.map(({ draft }) => draft);
  return new TransactionWork(async (db) => {
    const ids = await storeQuestions(db, drafts, { ownerId: actor.id, now });
    await noteAdded(db, { actor, now }, withIds(ids, drafts));
    return null;
  });
}

const noFile = () => invalid({ file: [importMessages.noFile] });

function importRefused(messages: string[], kind: 'invalid' | 'wrong-type' = 'invalid'): Refusal {
  const shown = messages.slice(0, maxMessages);
  if (messages.length > maxMessages) shown.push(`共 ${messages.length} 处错误，以上是前 ${maxMessages} 处`);
  return new Refusal(kind, importMessages.failed, {
    err: shown,
    errors: { file: [importMessages.failed] },
  });
}

const noteText = ({ where, message }: ImportNote): string => `${where}：${message}`;

const faultsOf = ({ errors, questions }: ImportPreview): string[] =>
  [...errors, ...questions.flatMap((question) => question.errors)].map(noteText);

/** Stores displayable pictures; `drop` deletes them if the file is not imported. */
function pictureKeeper(storage: Storage) {
  const keys: string[] = [];
  const save: SavePicture = async (bytes) => {
    const inspected = await inspectPicture(bytes);
    if (!('ok' in inspected)) return null;
    const { format } = inspected.ok;
    const stored = await storage.put(
      (async function* () {
        yield bytes;
      })(),
      { extension: format === 'jpeg' ? 'jpg' : format, contentType: `image/${format}`, limit: bytes.byteLength },
    );
    if (!('ok' in stored)) return null;
    keys.push(stored.ok.key);
    return `/files/${stored.ok.key}`;
  };
  return { keys, save, drop: () => deleteFiles(storage, keys) };
}

async function deleteFiles(storage: Storage, keys: readonly string[]): Promise<void> {
  for (const key of keys) await storage.delete(key);
}

// ---- the preview ------------------------------------------------------------------------------------

/** Starts to parse a file. Short files are parsed before it returns; for long ones `importState` reports progress. */
export async function startImport(
  importing: Importing,
  file: UploadedFile | undefined,
): Promise<{ import_id: string } | Refusal> {
  if (!file) return noFile();
  const format = formats[extensionOf(file.name)];
  if (!format) return importRefused([importMessages.ending], 'wrong-type');
  const { db, actor, now } = importing;
  await purgePreviews(importing);
  const bytes = await readFile(file.staged.path);
  const id = randomBytes(20).toString('base64url');
  await db
    .insertInto('question_import')
    .values({ id, owner_id: actor.id, file_name: file.name, status: 1, created_at: now, updated_at: now })
    .execute();
  const reading = withoutDeadline(() => readInto(importing, { id, format, bytes })).catch(async (error: unknown) => {
    importing.log.error({ err: error, format }, 'import failed');
    const reason = storageAway(error) ?? importMessages.unreadable;
    await refuseImport(importing, id, reason).catch(() => undefined);
  });
  await Promise.race([reading, pause(patience, undefined, { ref: false })]);
  return { import_id: id };
}

async function readInto(
  importing: Importing,
  { id, format, bytes }: { id: string; format: ImportFormat; bytes: Uint8Array },
): Promise<void> {
  const { db, storage } = importing;
  const pictures = pictureKeeper(storage);
  const progress = progressOf(importing, id);
  const found = await previewImport(format, bytes, { savePicture: pictures.save, onProgress: progress.tell });
  await progress.settled();
  if ('refused' in found) {
    await pictures.drop();
    return refuseImport(importing, id, found.refused);
  }
  await db.transaction().execute(async (trx) => {
    await tellKnown(trx, importing.actor, found.questions);
    for (let from = 0; from < found.questions.length; from += chunk) {
      const rows = found.questions
        .slice(from, from + chunk)
        .map((question, index) => rowOf(id, from + index + 1, question));
      await trx.insertInto('question_import_row').values(rows).execute();
      await othersTurn();
    }
    await trx
      .updateTable('question_import')
      .set({
        status: 2,
        percent: 100,
        notes: JSON.stringify(found.errors),
        pictures: JSON.stringify(pictures.keys),
        updated_at: progress.seconds(),
      })
      .where('id', '=', id)
      .execute();
  });
}

/** Key for finding duplicates, from texts only: each import stores its pictures at new addresses. */
const sameness = (draft: Pick<QuestionDraft, 'ques_type' | 'ques_stem'> & { ques_option: { content: string }[] }) =>
  JSON.stringify([
    draft.ques_type,
    plainText(draft.ques_stem),
    ...draft.ques_option.map(({ content }) => plainText(content)),
  ]);

/** Notes on each question whether the importer's bank or the file already has it. */
async function tellKnown(db: Database, actor: Actor, questions: readonly ImportedQuestion[]): Promise<void> {
  const known = new Map<string, string>();
  for (let from = 0; from < questions.length; from += chunk) {
    const some = questions.slice(from, from + chunk);
    const stored = await db
      .selectFrom('question')
      .select(['ques_type', 'ques_stem', 'ques_option'])
      .where('owner_id', '=', actor.id)
      .where('parent_id', 'is', null)
      .where(
        'stem_text',
        'in',
        some.map(({ draft }) => plainText(draft.ques_stem)),
      )
      .execute();
    for (const row of stored) {
      known.set(
        sameness({ ...row, ques_type: row.ques_type as QuestionType, ques_option: JSON.parse(row.ques_option) }),
        importMessages.inBank,
      );
    }
    await othersTurn();
  }
  for (const { draft, source, losses } of questions) {
    if (plainText(draft.ques_stem) === '') continue;
    const message = known.get(sameness(draft));
    if (message) losses.push({ where: placeOf(source), message });
    else known.set(sameness(draft), importMessages.twiceInFile(placeOf(source)));
  }
}

/** Rows per statement: SQLite writes them in a few milliseconds on the event loop. */
const chunk = 100;

const rowOf = (importId: string, sort: number, { draft, source, errors, losses }: ImportedQuestion) => ({
  import_id: importId,
  sort,
  draft: JSON.stringify(draft),
  place: placeOf(source),
  errors: JSON.stringify(errors),
  losses: JSON.stringify(losses),
  is_good: errors.length === 0 ? (1 as const) : (0 as const),
});

const placeOf = (source: ImportSource): string =>
  'line' in source ? `第${source.line}行` : `${source.sheet} 第${source.row}行`;

/** Stores progress, at most twice a second and never concurrently. */
function progressOf({ db, now }: Importing, id: string) {
  const started = Date.now();
  const seconds = () => now + Math.floor((Date.now() - started) / 1000);
  let told = { percent: 0, at: started };
  let writing = Promise.resolve();
  const tell = (part: number) => {
    const percent = Math.min(99, Math.floor(part * 100));
    if (percent <= told.percent || Date.now() - told.at < 500) return;
    told = { percent, at: Date.now() };
    writing = writing.then(async () => {
      await db.updateTable('question_import').set({ percent, updated_at: seconds() }).where('id', '=', id).execute();
    });
    // Errors reach the caller of `settled`; until then they are ignored here.
    writing.catch(() => undefined);
  };
  return { tell, seconds, settled: () => writing };
}

async function refuseImport({ db }: Importing, id: string, message: string): Promise<void> {
  await db.updateTable('question_import').set({ status: 3, message }).where('id', '=', id).execute();
}

/** Deletes expired previews with their unused pictures and returns the number of previews. */
export async function purgePreviews({ db, storage, now }: Pick<Importing, 'db' | 'storage' | 'now'>): Promise<number> {
  const old = await db
    .deleteFrom('question_import')
    .where('created_at', '<=', now - keptFor)
    .returning('pictures')
    .execute();
  for (const { pictures } of old) await deleteFiles(storage, JSON.parse(pictures) as string[]);
  return old.length;
}

const gone = () => missing(missingImport);

/** The actor's own import, until it expires. */
function ownImport(db: Database, actor: Actor, id: string, now: number) {
  return db
    .selectFrom('question_import')
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .where('created_at', '>', now - keptFor);
}

/** 404: not the actor's, or expired. */
export async function importState(
  db: Database,
  actor: Actor,
  { id, filter, now }: { id: string; filter: ImportFilter; now: number },
): Promise<ImportState | Refusal> {
  const found = await ownImport(db, actor, id, now).selectAll().executeTakeFirst();
  if (!found) return gone();
  const silent = found.status === 1 && now - found.updated_at > silentFor;
  const counts = await db
    .selectFrom('question_import_row')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.coalesce(eb.fn.sum<number>('is_good'), eb.lit(0)).as('good'),
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('losses', '<>', '[]').then(1).else(0).end()), eb.lit(0))
        .as('lossy'),
    ])
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow();
  const matching = filter.only === 1 ? counts.total - counts.good : counts.total;
  let rows = db.selectFrom('question_import_row').selectAll().where('import_id', '=', id);
  if (filter.only === 1) rows = rows.where('is_good', '=', 0);
  const { list, ...range } = await pageOf(matching, filter, rows.orderBy('sort'));
  return {
    import_id: id,
    file_name: found.file_name,
    status: silent ? 3 : found.status,
    percent: found.percent,
    message: silent ? importMessages.interrupted : found.message,
    notes: JSON.parse(found.notes) as ImportNote[],
    ...counts,
    rows: {
      list: list.map((row) => {
        const { ques_item, ...draft } = JSON.parse(row.draft) as QuestionDraft;
        return {
          sort: row.sort,
          place: row.place,
          ...partOf(draft),
          facility_value: draft.facility_value,
          remark: draft.remark,
          ques_item: ques_item.map(partOf),
          errors: JSON.parse(row.errors) as ImportNote[],
          losses: JSON.parse(row.losses) as ImportNote[],
        };
      }),
      ...range,
    },
  };
}

const partOf = (draft: Omit<QuestionDraft, 'ques_item'>) => ({
  ques_type: draft.ques_type,
  ques_option: draft.ques_option.map(({ is_right }) => ({ is_right })),
  ignore_case: draft.ignore_case,
  display: displayOf(draft),
});

interface Commitment {
  id: string;
  /** `all` requires every question to be valid. */
  scope: 'all' | 'good';
  now: number;
}

const withIds = (ids: readonly number[], drafts: readonly QuestionDraft[]) =>
  ids.map((id, index) => ({ id, draft: drafts[index] as QuestionDraft }));

/** Adds all questions, or the valid ones, to the bank. */
export async function commitImport(
  db: Database,
  actor: Actor,
  commitment: Commitment,
): Promise<{ imported: number; ids: number[] } | Refusal> {
  const { now } = commitment;
  const stored = await takeImport(db, actor, commitment, async (drafts) => {
    const ids = await storeQuestions(db, drafts, { ownerId: actor.id, now });
    await noteAdded(db, { actor, now }, withIds(ids, drafts));
    return ids;
  });
  if (isRefusal(stored)) return stored;
  return { imported: stored.length, ids: stored };
}

/**
 * Ends an import: passes its questions to `store` in file order, in chunks, and returns the results. Drafts were
 * sanitized when parsed.
 */
export async function takeImport<Stored>(
  db: Database,
  actor: Actor,
  { id, scope, now }: Commitment,
  store: (drafts: QuestionDraft[]) => Promise<Stored[] | Refusal>,
): Promise<Stored[] | Refusal> {
  const found = await forUpdate(db)(ownImport(db, actor, id, now).selectAll()).executeTakeFirst();
  if (!found) return gone();
  if (found.status === 1) return conflict(importMessages.reading);
  if (found.status === 3) return importRefused([found.message]);
  const faults = scope === 'all' ? await storedFaults(db, found) : [];
  if (faults.length > 0) return importRefused(faults);
  const left = new Set(JSON.parse(found.pictures) as string[]);
  const stored = await storeGood(db, { id, left, store });
  if (isRefusal(stored)) return stored;
  if (stored.length === 0) return importRefused([importMessages.nothing]);
  await db.deleteFrom('question_import_row').where('import_id', '=', id).execute();
  // Expired at once; the next purge deletes the pictures of omitted questions.
  await db
    .updateTable('question_import')
    .set({ created_at: 0, pictures: JSON.stringify([...left]) })
    .where('id', '=', id)
    .execute();
  return stored;
}

async function storedFaults(db: Database, found: { id: string; notes: string }): Promise<string[]> {
  const bad = await db
    .selectFrom('question_import_row')
    .select('errors')
    .where('import_id', '=', found.id)
    .where('is_good', '=', 0)
    .orderBy('sort')
    .execute();
  const lists = [found.notes, ...bad.map(({ errors }) => errors)];
  return lists.flatMap((list) => (JSON.parse(list) as ImportNote[]).map(noteText));
}

/** Stores the valid rows and removes their pictures from `left`. */
async function storeGood<Stored>(
  db: Database,
  {
    id,
    left,
    store,
  }: { id: string; left: Set<string>; store: (drafts: QuestionDraft[]) => Promise<Stored[] | Refusal> },
): Promise<Stored[] | Refusal> {
  const stored: Stored[] = [];
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('question_import_row')
      .select(['sort', 'draft'])
      .where('import_id', '=', id)
      .where('is_good', '=', 1)
      .where('sort', '>', after)
      .orderBy('sort')
      .limit(chunk)
      .execute();
    const last = rows.at(-1);
    if (!last) return stored;
    for (const { draft } of rows)
      for (const [, key] of draft.matchAll(/\/files\/([\w/.-]+)/g)) left.delete(key as string);
    const some = await store(rows.map(({ draft }) => JSON.parse(draft) as QuestionDraft));
    if (isRefusal(some)) return some;
    stored.push(...some);
    after = last.sort;
  }
}

/** 404: not the actor's, or expired. */
export async function dropImport(
  db: Database,
  actor: Actor,
  { id, now }: { id: string; now: number },
): Promise<null | Refusal> {
  const { numUpdatedRows } = await db
    .updateTable('question_import')
    // The next purge deletes its pictures.
    .set({ created_at: 0 })
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .where('created_at', '>', now - keptFor)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? gone() : null;
}
