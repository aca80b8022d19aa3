import { lastBackupAttempt } from '#server/backup/records.ts';
import { failureSentences } from '#server/backup/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** The last attempt to make a backup. */
export interface LastBackup {
  /** When a backup last succeeded, unix seconds; null if never. */
  succeededAt: number | null;
  /** Error of the last attempt; '' if it succeeded. */
  failure: string;
}

/** Returns the last attempt; undefined if this server never tried to make a backup. Restore points do not count. */
export async function lastBackup(db: Database): Promise<LastBackup | undefined> {
  const { last, succeededAt } = await lastBackupAttempt(db);
  if (!last) return undefined;
  return { succeededAt: succeededAt ?? null, failure: last.reason && failureSentences[last.reason] };
}
