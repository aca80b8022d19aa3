import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** When a stay in a class was last written, for change feeds: the day that it names may be long past. */
export const up = (db: Database): Promise<void> =>
  runScript(db, 'alter table class_student add column changed_at bigint not null default 0;');
