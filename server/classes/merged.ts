import type { Database } from '#server/platform/db/engine.ts';

/** What names one entry of a catalogue names another from now on. */
export const classesInPlaceOf = (
  db: Database,
  field: 'grade_id' | 'classify_id',
  { from, into }: { from: number; into: number },
) =>
  db
    .updateTable('class')
    .set({ [field]: into })
    .where(field, '=', from)
    .execute();
