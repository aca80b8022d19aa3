import type { Database } from '#server/platform/db/engine.ts';

/** What names one subject names another from now on. */
export const pointsInPlaceOf = (db: Database, { from, into }: { from: number; into: number }) =>
  db.updateTable('knowledge_point').set({ subject_id: into }).where('subject_id', '=', from).execute();
