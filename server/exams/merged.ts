import type { Database } from '#server/platform/db/engine.ts';

/** What names one category names another from now on. */
export const examsInPlaceOf = (db: Database, { from, into }: { from: number; into: number }) =>
  db.updateTable('exam').set({ category_id: into }).where('category_id', '=', from).execute();
