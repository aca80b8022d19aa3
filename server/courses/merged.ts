import type { Database } from '#server/platform/db/engine.ts';

/** What names one entry of a catalogue names another from now on. */
export const coursesInPlaceOf = (
  db: Database,
  field: 'grade_id' | 'classify_id' | 'subject_id',
  { from, into }: { from: number; into: number },
) =>
  db
    .updateTable('course')
    .set({ [field]: into })
    .where(field, '=', from)
    .execute();
