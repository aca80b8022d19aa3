import type { Database } from '#server/platform/db/engine.ts';

/** What names one entry of a catalogue names another from now on. */
export const teamsInPlaceOf = (
  db: Database,
  field: 'subject_id' | 'room_id',
  { from, into }: { from: number; into: number },
) =>
  db
    .updateTable('team_class')
    .set({ [field]: into })
    .where(field, '=', from)
    .execute();
