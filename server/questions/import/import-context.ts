/** Data and services for a request that imports a file of questions. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Log } from '#server/platform/monitoring/log.ts';

export interface ImportContext {
  db: Database;
  storage: Storage;
  log: Log;
  actor: Actor;
  /** Unix seconds. */
  now: number;
}
