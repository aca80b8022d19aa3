import type { Database } from '#server/platform/db/engine.ts';

/** What takes place in one room takes place in another from now on. */
export const sessionsInPlaceOf = (db: Database, { from, into }: { from: number; into: number }) =>
  db.updateTable('class_session').set({ room_id: into }).where('room_id', '=', from).execute();
