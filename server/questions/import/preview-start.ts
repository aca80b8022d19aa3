/** Starts a preview: reads an uploaded file and stores its questions. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause, setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import { storageFault } from '#server/platform/files/storage.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { importMessages } from '../import.rules.ts';
import type { ColumnMapping } from './column-names.ts';
import { type BankMatch, matchesInBank, noteRepeats, placeInFile, rowsPerStatement } from './duplicates.ts';
import { formatOf, unknownFormatMessage } from './formats.ts';
import type { ImportContext } from './import-context.ts';
import { contentColumns, doubtColumns, emptyImport, rowGap } from './import-rows.ts';
import type { ImportedQuestion, QuestionsFile } from './imported-question.ts';
import { pointFinder, resolvePointPaths } from './points.ts';
import { previewImport } from './preview.ts';
import { purgePreviews } from './preview-state.ts';
import { refusalOfFile, refusalWithoutFile } from './refusal.ts';
import { isTable, type Line, plainLine } from './rich-line.ts';
import { deleteFiles, pictureStore } from './stored-pictures.ts';

/** Milliseconds that the upload waits, so that a short file is read when it returns. */
const maxWait = 1500;

/** Form field of the file with the answers. */
const answersField = 'answers';

/**
 * Starts to read a file, with the file of its answers if there is one. A short one has been read when this returns; for
 * a long one `importState` reports progress.
 */
export async function startPreview(
  context: ImportContext,
  uploads: readonly UploadedFile[],
): Promise<{ import_id: string } | Refusal> {
  const ordered = uploads.toSorted(
    (one, other) => Number(one.field === answersField) - Number(other.field === answersField),
  );
  const [paper] = ordered;
  if (!paper || paper.field === answersField) return refusalWithoutFile();
  const files = await Promise.all(
    ordered.map(async ({ name, staged }) => ({ name, bytes: await readFile(staged.path) })),
  );
  if (files.some((file) => !formatOf(file))) return refusalOfFile([unknownFormatMessage(files)], 'wrong-type');
  return startReading(context, files);
}

/** Starts to read a paper that was pasted as text. */
export async function startPasted(context: ImportContext, text: string): Promise<{ import_id: string } | Refusal> {
  if (text.trim() === '') return invalid({ text: [importMessages.noText] });
  return startReading(context, [{ name: `${importMessages.pasted}.txt`, bytes: Buffer.from(text) }]);
}

/** Begins with the time in milliseconds, so that later imports have greater ids. Eight digits last until 2059. */
const newImportId = (): string => Date.now().toString(36) + randomBytes(20).toString('base64url');

async function startReading(context: ImportContext, files: readonly QuestionsFile[]): Promise<{ import_id: string }> {
  const { db, actor, now } = context;
  await purgePreviews(context);
  const id = newImportId();
  const file_name = files.map(({ name }) => name).join(' + ');
  await db
    .insertInto('question_import')
    .values({ id, owner_id: actor.id, file_name, status: 1, created_at: now, updated_at: now })
    .execute();
  await readInto(context, id, files);
  return { import_id: id };
}

/** Reads files into an import of status 1, in place of its questions if there are some. Waits a moment for the end. */
export async function readInto(
  context: ImportContext,
  id: string,
  files: readonly QuestionsFile[],
  mapping?: ColumnMapping,
): Promise<void> {
  const reading = withoutDeadline(() => parseAndStore(context, id, files, mapping)).catch(async (error: unknown) => {
    context.log.error({ err: error, format: formatOf(files[0] as QuestionsFile)?.name }, 'import failed');
    const reason = storageFault(error) ?? importMessages.unreadable;
    await refuseImport(context, id, reason).catch(() => undefined);
  });
  await Promise.race([reading, pause(maxWait, undefined, { ref: false })]);
}

async function parseAndStore(
  context: ImportContext,
  id: string,
  files: readonly QuestionsFile[],
  mapping: ColumnMapping | undefined,
): Promise<void> {
  const { db, storage } = context;
  const pictures = pictureStore(storage);
  const progress = progressWriter(context, id);
  const found = await previewImport(files, { savePicture: pictures.save, onProgress: progress.tell, mapping });
  await progress.settled();
  if ('refused' in found) {
    await pictures.drop();
    return refuseImport(context, id, found.refused);
  }
  resolvePointPaths(found.questions, await pointFinder(db));
  noteRepeats(found.questions);
  const matches = await matchesInBank(db, context.actor, found.questions);
  const sectionAt = sectionsOf(found.paper ?? []);
  const before = await db
    .selectFrom('question_import')
    .select(['pictures', 'file_key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const file_key = before.file_key || (found.sheets ? await keepFile(storage, files[0] as QuestionsFile) : '');
  await db.transaction().execute(async (trx) => {
    await emptyImport(trx, id);
    await inChunks(found.questions, async (questions, from) => {
      const rows = questions.map((question, index) =>
        rowOf(question, {
          import_id: id,
          sort: (from + index + 1) * rowGap,
          section: sectionAt(question),
          match: matches.get(from + index),
        }),
      );
      await trx.insertInto('question_import_row').values(rows).execute();
    });
    await inChunks(found.paper ?? [], async (lines) => {
      const rows = lines.map((line) => ({ import_id: id, line: line.number, content: JSON.stringify(line) }));
      await trx
        .insertInto('question_import_line')
        .values(rows)
        .onConflict((conflicting) => conflicting.doNothing())
        .execute();
    });
    await trx
      .updateTable('question_import')
      .set((eb) => ({
        status: 2,
        percent: 100,
        format: found.format,
        notes: JSON.stringify(found.errors),
        left_out: JSON.stringify(found.leftOut),
        doubts: JSON.stringify(found.doubts),
        pictures: JSON.stringify(pictures.keys),
        file_key,
        sheets: JSON.stringify(found.sheets ?? []),
        updated_at: unlessDropped(eb, progress.seconds()),
      }))
      .where('id', '=', id)
      .execute();
  });
  await deleteFiles(storage, JSON.parse(before.pictures) as string[]);
}

/** Keeps a spreadsheet until its import ends; returns its storage key, or '' if it is refused. */
async function keepFile(storage: ImportContext['storage'], { name, bytes }: QuestionsFile): Promise<string> {
  const stored = await storage.put(
    (async function* () {
      yield bytes;
    })(),
    { extension: extensionOf(name) === 'xlsx' ? 'xlsx' : 'csv', limit: bytes.byteLength },
  );
  return 'ok' in stored ? stored.ok.key : '';
}

/** Keeps an import dropped (0) that was dropped while its file was read. */
const unlessDropped = (eb: ExpressionBuilder<Tables, 'question_import'>, seconds: number) =>
  eb.case().when('updated_at', '=', 0).then(0).else(seconds).end();

/** Passes the items to `store` in chunks that SQLite writes in a few milliseconds; other requests run in between. */
async function inChunks<Item>(
  items: readonly Item[],
  store: (chunk: readonly Item[], from: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += rowsPerStatement) {
    await store(items.slice(from, from + rowsPerStatement), from);
    await yieldToOthers();
  }
}

const tenthsOf = (points: number | undefined): number | null => (points === undefined ? null : Math.round(points * 10));

function rowOf(
  question: ImportedQuestion,
  { match, ...place }: { import_id: string; sort: number; section: string; match: BankMatch | undefined },
) {
  const { draft, source, errors, losses, doubts, score, partScores, number, lines } = question;
  return {
    ...place,
    place: placeInFile(source),
    ...contentColumns(draft, placeInFile(source), errors),
    losses: JSON.stringify(losses),
    ...doubtColumns(doubts),
    score: tenthsOf(score),
    part_scores: JSON.stringify(draft.ques_item.map((_, index) => tenthsOf(partScores?.[index]))),
    number: number ?? '',
    line_from: lines?.from ?? null,
    line_to: lines?.to ?? null,
    bank_id: match?.id ?? null,
    bank_match: match?.match ?? (0 as const),
  };
}

/** Matches the heading of a section, such as 一、单选题（每题2分）. */
const heading = /^\s*(?:第[一二三四五六七八九十]+(?:部分|大题|卷)|[一二三四五六七八九十]{1,3}\s*[、.．])/;

/** Maximum characters of a heading; a longer line is a text. */
const headingLength = 80;

/** Returns a function from a question to the heading or sheet that it stands under; '' if there is none. */
function sectionsOf(paper: readonly Line[]): (question: ImportedQuestion) => string {
  const headings = paper.flatMap((line) => {
    const text = isTable(line) ? '' : plainLine(line).trim();
    return text.length <= headingLength && heading.test(text) ? [{ number: line.number, text }] : [];
  });
  return ({ source, lines }) => {
    if ('sheet' in source) return source.sheet;
    const from = lines?.from ?? ('line' in source ? source.line : 0);
    return headings.findLast(({ number }) => number <= from)?.text ?? '';
  };
}

/** Stores progress, at most twice a second and never twice at the same time. */
function progressWriter({ db, now }: ImportContext, id: string) {
  const started = Date.now();
  const seconds = () => now + Math.floor((Date.now() - started) / 1000);
  let written = { percent: 0, at: started };
  let writing = Promise.resolve();
  const tell = (part: number) => {
    const percent = Math.min(99, Math.floor(part * 100));
    if (percent <= written.percent || Date.now() - written.at < 500) return;
    written = { percent, at: Date.now() };
    writing = writing.then(async () => {
      await db
        .updateTable('question_import')
        .set((eb) => ({ percent, updated_at: unlessDropped(eb, seconds()) }))
        .where('id', '=', id)
        .execute();
    });
    // The caller that awaits `settled` gets the error; this avoids an unhandled rejection before that.
    writing.catch(() => undefined);
  };
  return { tell, seconds, settled: () => writing };
}

async function refuseImport({ db }: ImportContext, id: string, message: string): Promise<void> {
  await db.updateTable('question_import').set({ status: 3, message }).where('id', '=', id).execute();
}
