import { lastMade } from '#server/backup/records.ts';
import { failureSentences } from '#server/backup/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** The last backup that was tried. */
export interface LastBackup {
  /** Unix seconds; of the last that succeeded, null where none has. */
  succeededAt: number | null;
  /** Why the last one failed; empty where it did not. */
  failure: string;
}

/** Undefined where none was ever made here; what is written before an upgrade is none. */
export async function lastBackup(db: Database): Promise<LastBackup | undefined> {
  const { last, succeededAt } = await lastMade(db);
  if (!last) return undefined;
  return { succeededAt: succeededAt ?? null, failure: last.reason && failureSentences[last.reason] };
}
