/** Imports a file of questions without a preview. */
import { readFile } from 'node:fs/promises';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { addToBank } from './commit.ts';
import type { ImportContext } from './import-context.ts';
import type { ImportFormat } from './imported-question.ts';
import { previewImport } from './preview.ts';
import { faultTexts, formats, refusalOfFile, refusalWithoutFile, wrongEndingMessages } from './refusal.ts';
import { pictureStore } from './stored-pictures.ts';

/** Imports every question of a file, or none. */
export async function importFile(
  { storage, actor, now }: Pick<ImportContext, 'storage' | 'actor' | 'now'>,
  file: UploadedFile | undefined,
  format: ImportFormat,
): Promise<Refusal | TransactionWork<null>> {
  if (!file) return refusalWithoutFile();
  if (formats[extensionOf(file.name)] !== format) return refusalOfFile([wrongEndingMessages[format]], 'wrong-type');
  const pictures = pictureStore(storage);
  const found = await previewImport(format, await readFile(file.staged.path), { savePicture: pictures.save });
  const faults = 'refused' in found ? [found.refused] : faultTexts(found);
  if ('refused' in found || faults.length > 0) {
    await pictures.drop();
    return refusalOfFile(faults);
  }
  const drafts = found.questions.map(({ draft }) => draft);
  return new TransactionWork(async (db) => {
    await addToBank(db, drafts, { actor, now });
    return null;
  });
}
