/** Stores the results of backups in the database, for screens and for the schedule. */
import type { Database } from '#server/platform/db/engine.ts';
import type { BackupFailure, BackupKind, BackupResult, LastBackups } from './rules.ts';

export interface BackupRecord {
  kind: BackupKind;
  /** File name; '' if there is no file. */
  file: string;
  bytes: number;
  files: number;
  verdict: BackupResult;
  reason: BackupFailure;
  /** Number of files that the database names but the storage lacked. */
  missing: number;
  /** Why the backup failed, as a sentence for the administrator; '' if it did not. */
  message: string;
  started_at: number;
  ended_at: number;
}

export async function recordBackup(db: Database, record: BackupRecord): Promise<void> {
  await db.insertInto('backup').values(record).execute();
}

export async function purgeBackups(db: Database, { before }: { before: number }): Promise<void> {
  await db.deleteFrom('backup').where('started_at', '<', before).execute();
}

/** Seconds by which the clocks of two servers may differ. */
const clockTolerance = 3600;

/**
 * Returns when scheduled backups last succeeded and failed. Ignores times in the future, which a wrong clock recorded:
 * they would delay the next backup.
 */
export async function lastBackups(db: Database, now: number): Promise<LastBackups> {
  const latest = (ended: boolean) =>
    db
      .selectFrom('backup')
      .select('started_at')
      .where('kind', '=', 'scheduled')
      .where('started_at', '<=', now + clockTolerance)
      .where('verdict', ended ? '!=' : '=', 'failed')
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const [ended, failed] = await Promise.all([latest(true), latest(false)]);
  const tried = Math.max(ended?.started_at ?? 0, failed?.started_at ?? 0);
  const { failures } = await db
    .selectFrom('backup')
    .select((eb) => eb.fn.countAll<number>().as('failures'))
    .where('kind', '=', 'scheduled')
    .where('verdict', '=', 'failed')
    .where('started_at', '>', ended?.started_at ?? 0)
    .where('started_at', '<=', now + clockTolerance)
    .executeTakeFirstOrThrow();
  return { ended: ended?.started_at, tried: tried || undefined, failures };
}

/** True if the result of a backup begun at or after `since` is recorded. */
export async function isBackupRecorded(db: Database, kind: BackupKind, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('backup')
    .select('id')
    .where('kind', '=', kind)
    .where('started_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the last attempt, scheduled or by hand, and the time of the last successful backup. */
export async function lastBackupAttempt(
  db: Database,
): Promise<{ last: { reason: BackupFailure } | undefined; succeededAt: number | undefined }> {
  const made = db.selectFrom('backup').where('kind', '!=', 'restore_point').orderBy('started_at', 'desc').limit(1);
  const [last, succeeded] = await Promise.all([
    made.select('reason').executeTakeFirst(),
    made.select('ended_at').where('verdict', '!=', 'failed').executeTakeFirst(),
  ]);
  return { last, succeededAt: succeeded?.ended_at };
}

/**
 * True once any backup, scheduled or by hand, has succeeded. A restore point is none: it lies on the server's own disk
 * and has no files.
 */
export async function hasBackup(db: Database): Promise<boolean> {
  const row = db
    .selectFrom('backup')
    .select('id')
    .where('verdict', '!=', 'failed')
    .where('kind', '!=', 'restore_point')
    .limit(1);
  return (await row.executeTakeFirst()) !== undefined;
}
