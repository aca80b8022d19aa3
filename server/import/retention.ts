/** Purges imports when their retention period is over: files, rows, and imports that were never applied. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { undoLimit } from './rules.ts';

const day = 24 * 60 * 60;

/** Rows per batch; an import may have a hundred thousand. */
const atOnce = 1000;

/**
 * True if the import can be undone: always within `undoLimit`, even if an erasure removed rows; later until purging
 * removes its rows.
 */
export async function canBeUndone(
  { db, now }: { db: Database; now: number },
  one: { id: number; total: number; created_at: number; applied_at: number | null },
): Promise<boolean> {
  if ((one.applied_at ?? 0) >= now - undoLimit) return true;
  const { keep_imports } = await schoolPolicy(db, now);
  if (one.created_at < now - keep_imports * day) return false;
  if (one.total === 0) return true;
  const row = await db
    .selectFrom('import_row')
    .select('id')
    .where('import_id', '=', one.id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Purges a batch; returns true if there may be more. Imports that can be undone are kept. */
export async function purgeImports(
  { db, storage }: { db: Database; storage: Storage },
  { before, now }: { before: number; now: number },
): Promise<boolean> {
  const old = await db
    .selectFrom('import')
    .select(['id', 'state', 'file_key'])
    .where('created_at', '<', before)
    .where('job', '=', '')
    .where((eb) =>
      eb.or([eb('state', '!=', 'applied'), eb('applied_at', 'is', null), eb('applied_at', '<', now - undoLimit)]),
    )
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
  // Applied imports stay in the list with their counts; others are deleted.
  if (state !== 'applied' && state !== 'undone') await db.deleteFrom('import').where('id', '=', id).execute();
  return true;
}
