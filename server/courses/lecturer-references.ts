/** Returns the lecturers that periods and lessons can be given to, including those that this import will create. */
import { inIds } from '#server/platform/db/json-rows.ts';
import { type ImportContext, viewerOf } from '#server/school/importer.ts';
import { adminLecturers } from './visible.ts';

export async function assignableLecturers(
  { db, importer, foreseen }: Pick<ImportContext, 'db' | 'importer' | 'foreseen'>,
  ids: readonly number[],
): Promise<(id: number) => boolean> {
  const rows = await adminLecturers(db, viewerOf(importer))
    .select('staff.id')
    .where('staff.id', 'in', inIds(db, ids))
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return (id) => {
    const ahead = foreseen('staff', String(id));
    return ahead ? ahead.identity === 'teacher' && ahead.is_disabled !== 1 : known.has(id);
  };
}
