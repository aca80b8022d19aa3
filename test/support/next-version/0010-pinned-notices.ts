import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    alter table class_notice add column pinned_at bigint;
    update staff set introduction = 'migrated' where introduction = '';
    `,
  );
