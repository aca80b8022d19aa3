/** The work on a large import, and a whole school as a file, in a thread with a connection of its own. */
import { openDatabase } from '#server/platform/db/engine.ts';
import { type ApartInput, writeHere } from '#server/platform/export/apart.ts';
import { stepBack } from '#server/platform/jobs/step-back.ts';
import { doJob, type JobOrder } from './jobs.ts';
import { type FileOrder, type KeptFile, keepFileHere } from './keep-file.ts';
import { type ExportOrder, exportedBytes } from './school-export.ts';

/** Refused: why. */
export async function workApart({
  order,
  location,
}: {
  order: JobOrder;
  location: string;
}): Promise<{ refused?: { msg: string; data: unknown } }> {
  stepBack();
  const database = openDatabase(location);
  try {
    const refusal = await doJob(database.db, order);
    return refusal ? { refused: { msg: refusal.msg, data: refusal.data } } : {};
  } finally {
    await database.destroy();
  }
}

export async function readApart({ order, location }: { order: FileOrder; location: string }): Promise<KeptFile> {
  stepBack();
  const database = openDatabase(location);
  try {
    return await keepFileHere(database.db, order);
  } finally {
    await database.destroy();
  }
}

export const exportApart = (input: ApartInput<ExportOrder>): Promise<void> =>
  writeHere(input, (db, progress) => exportedBytes(db, input.order, progress));
