import type { Database } from '#server/platform/db/engine.ts';

/** What names one category names another from now on. */
export async function waresInPlaceOf(db: Database, { from, into }: { from: number; into: number }): Promise<void> {
  await db.updateTable('courseware').set({ classify_id: into }).where('classify_id', '=', from).execute();
  await db.updateTable('class_ware').set({ classify_id: into }).where('classify_id', '=', from).execute();
}
