/** Imports a file of questions without a preview. */
import { readFile } from 'node:fs/promises';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import type { UploadedFile } from '#server/platform/files/upload.ts';
import { zipRefusals } from '#server/platform/files/zip.ts';
import { importMessages } from '../import.rules.ts';
import { addToBank } from './commit.ts';
import { formatOf } from './formats.ts';
import type { ImportContext } from './import-context.ts';
import { pointFinder, pointNote, resolvePointPaths, takePoint } from './points.ts';
import { previewImport } from './preview.ts';
import { faultTexts, refusalOfFile, refusalWithoutFile } from './refusal.ts';
import { importedPoints } from './rules.ts';
import { pictureStore } from './stored-pictures.ts';

/** Formats by their number in the address of the call. */
const officeFormats = {
  1: { name: 'docx', wrongEnding: importMessages.wordEnding },
  2: { name: 'xlsx', wrongEnding: importMessages.excelEnding },
} as const;

/** Imports every question of a file, or none. */
export async function importFile(
  { db, storage, actor, now }: Pick<ImportContext, 'db' | 'storage' | 'actor' | 'now'>,
  file: UploadedFile | undefined,
  format: keyof typeof officeFormats,
): Promise<Refusal | TransactionWork<null>> {
  if (!file) return refusalWithoutFile();
  const { name, wrongEnding } = officeFormats[format];
  if (extensionOf(file.name) !== name) return refusalOfFile([wrongEnding], 'wrong-type');
  const bytes = await readFile(file.staged.path);
  if (formatOf({ name: file.name, bytes })?.name !== name) return refusalOfFile([zipRefusals.mismatch.message]);
  const pictures = pictureStore(storage);
  const found = await previewImport([{ name: file.name, bytes }], { savePicture: pictures.save });
  const faults = 'refused' in found ? [found.refused] : faultTexts(found);
  const findPoint = await pointFinder(db);
  if ('questions' in found) resolvePointPaths(found.questions, findPoint);
  const drafts = 'questions' in found ? found.questions.map(({ draft }) => draft) : [];
  const lost = drafts.filter((draft) => pointNote(draft, actor, findPoint) === importMessages.pointLost);
  faults.push(...lost.map(({ point = '' }) => importedPoints.unknown(point)));
  if ('refused' in found || faults.length > 0) {
    await pictures.drop();
    return refusalOfFile(faults);
  }
  return new TransactionWork(async (trx) => {
    const taken = drafts.map((draft) => takePoint(draft, actor, findPoint));
    await addToBank(trx, taken, { actor, now });
    return null;
  });
}
