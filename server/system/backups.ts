import type { Database } from '#server/platform/db/engine.ts';

/** The last backup that was tried. */
export interface LastBackup {
  /** Unix seconds; of the last that succeeded, null where none has. */
  succeededAt: number | null;
  /** Why the last one failed; empty where it did not. */
  failure: string;
}

/** Undefined where this server makes none itself. */
export async function lastBackup(_db: Database): Promise<LastBackup | undefined> {
  return undefined;
}
