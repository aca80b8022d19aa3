/** What was uploaded is kept for so many days: its file, its rows, and whatever was never applied. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';

/** Rows that go at a time: an import may have a hundred thousand. */
const atOnce = 1000;

/** Takes a part of what is older; answers whether there may be more. */
export async function forgetImports(
  { db, storage }: { db: Database; storage: Storage },
  { before }: { before: number },
): Promise<boolean> {
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
        eb.exists(
          eb
            .selectFrom('import_remark')
            .select('import_remark.id')
            .whereRef('import_remark.import_id', '=', 'import.id'),
        ),
      ]),
    )
    .orderBy('id')
    .executeTakeFirst();
  if (!old) return false;
  const { id, state, file_key } = old;
  const rows = await db
    .deleteFrom('import_row')
    .where('id', 'in', (eb) => eb.selectFrom('import_row').select('id').where('import_id', '=', id).limit(atOnce))
    .executeTakeFirst();
  if (Number(rows.numDeletedRows) === atOnce) return true;
  await db.deleteFrom('import_remark').where('import_id', '=', id).execute();
  if (file_key !== '') await storage.delete(file_key);
  await db.updateTable('import').set({ file_key: '' }).where('id', '=', id).execute();
  // What was done stays in the list, with its counts; what never was goes.
  if (state !== 'applied' && state !== 'undone') await db.deleteFrom('import').where('id', '=', id).execute();
  return true;
}
