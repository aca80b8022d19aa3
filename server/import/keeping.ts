/** What was uploaded is kept for so many days: its file, its rows, and whatever was never applied. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';

/** Imports that are looked at in one go: each may have a hundred thousand rows. */
const atOnce = 5;

/** Answers how many there were: 0 when all is done. */
export async function forgetImports(
  { db, storage }: { db: Database; storage: Storage },
  { before }: { before: number },
): Promise<number> {
  const old = await db
    .selectFrom('import')
    .select(['id', 'state', 'file_key'])
    .where('created_at', '<', before)
    .where('job', '=', '')
    .where((eb) =>
      eb.or([
        eb('state', 'not in', ['applied', 'undone']),
        eb('file_key', '!=', ''),
        eb.exists(
          eb.selectFrom('import_row').select('import_row.id').whereRef('import_row.import_id', '=', 'import.id'),
        ),
      ]),
    )
    .orderBy('id')
    .limit(atOnce)
    .execute();
  for (const { id, state, file_key } of old) {
    await db.deleteFrom('import_row').where('import_id', '=', id).execute();
    await db.deleteFrom('import_remark').where('import_id', '=', id).execute();
    if (file_key !== '') await storage.delete(file_key);
    await db.updateTable('import').set({ file_key: '' }).where('id', '=', id).execute();
    // What was done stays in the list, with its counts; what never was goes.
    if (state !== 'applied' && state !== 'undone') await db.deleteFrom('import').where('id', '=', id).execute();
  }
  return old.length;
}
