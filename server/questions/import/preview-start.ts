/** Starts a preview: reads an uploaded file and stores its questions. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause, setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import { storageAway } from '#server/platform/files/storage.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { importMessages } from '../rules.ts';
import { noteDuplicates, placeInFile, rowsPerStatement } from './duplicates.ts';
import { formatOf, unknownFormatMessage } from './formats.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportedQuestion, QuestionsFile } from './imported-question.ts';
import { previewImport } from './preview.ts';
import { purgePreviews } from './preview-state.ts';
import { refusalOfFile, refusalWithoutFile } from './refusal.ts';
import { pictureStore } from './stored-pictures.ts';

/** Milliseconds that the upload waits, so that a short file is read when it returns. */
const maxWait = 1500;

/**
 * Starts to read a file. A short one has been read when this returns; for a long one `importState` reports progress.
 */
export async function startPreview(
  context: ImportContext,
  file: UploadedFile | undefined,
): Promise<{ import_id: string } | Refusal> {
  if (!file) return refusalWithoutFile();
  const bytes = await readFile(file.staged.path);
  const files = [{ name: file.name, bytes }];
  const format = formatOf({ name: file.name, bytes })?.name;
  if (!format) return refusalOfFile([unknownFormatMessage()], 'wrong-type');
  const { db, actor, now } = context;
  await purgePreviews(context);
  const id = randomBytes(20).toString('base64url');
  await db
    .insertInto('question_import')
    .values({ id, owner_id: actor.id, file_name: file.name, status: 1, created_at: now, updated_at: now })
    .execute();
  const reading = withoutDeadline(() => parseAndStore(context, id, files)).catch(async (error: unknown) => {
    context.log.error({ err: error, format }, 'import failed');
    const reason = storageAway(error) ?? importMessages.unreadable;
    await refuseImport(context, id, reason).catch(() => undefined);
  });
  await Promise.race([reading, pause(maxWait, undefined, { ref: false })]);
  return { import_id: id };
}

async function parseAndStore(context: ImportContext, id: string, files: readonly QuestionsFile[]): Promise<void> {
  const { db, storage } = context;
  const pictures = pictureStore(storage);
  const progress = progressWriter(context, id);
  const found = await previewImport(files, { savePicture: pictures.save, onProgress: progress.tell });
  await progress.settled();
  if ('refused' in found) {
    await pictures.drop();
    return refuseImport(context, id, found.refused);
  }
  await db.transaction().execute(async (trx) => {
    await noteDuplicates(trx, context.actor, found.questions);
    for (let from = 0; from < found.questions.length; from += rowsPerStatement) {
      const rows = found.questions
        .slice(from, from + rowsPerStatement)
        .map((question, index) => rowOf(id, from + index + 1, question));
      await trx.insertInto('question_import_row').values(rows).execute();
      await yieldToOthers();
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

const rowOf = (importId: string, sort: number, { draft, source, errors, losses }: ImportedQuestion) => ({
  import_id: importId,
  sort,
  draft: JSON.stringify(draft),
  place: placeInFile(source),
  errors: JSON.stringify(errors),
  losses: JSON.stringify(losses),
  is_good: errors.length === 0 ? (1 as const) : (0 as const),
});

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
      await db.updateTable('question_import').set({ percent, updated_at: seconds() }).where('id', '=', id).execute();
    });
    // The caller that awaits `settled` gets the error; this avoids an unhandled rejection before that.
    writing.catch(() => undefined);
  };
  return { tell, seconds, settled: () => writing };
}

async function refuseImport({ db }: ImportContext, id: string, message: string): Promise<void> {
  await db.updateTable('question_import').set({ status: 3, message }).where('id', '=', id).execute();
}
