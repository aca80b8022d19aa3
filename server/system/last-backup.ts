import { lastBackupAttempt } from '#server/backup/records.ts';
import { failureSentences } from '#server/backup/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';

/** Last attempt at a backup. */
export interface LastBackup {
  /** Last success in unix seconds; null if there was none. */
  succeededAt: number | null;
  /** Error of the last attempt; '' if it succeeded. */
  failure: string;
}

/** Undefined if no backup was ever tried here; restore points do not count. */
export async function lastBackup(db: Database): Promise<LastBackup | undefined> {
  const { last, succeededAt } = await lastBackupAttempt(db);
  if (!last) return undefined;
  return { succeededAt: succeededAt ?? null, failure: last.reason && failureSentences[last.reason] };
}
