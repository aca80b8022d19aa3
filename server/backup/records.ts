/** What came of each backup, for the screens and for the schedule. */
import type { Database } from '#server/platform/db/engine.ts';
import type { BackupKind, Failure, LastBackups, Verdict } from './rules.ts';

export interface BackupRecord {
  kind: BackupKind;
  /** Its name; '' where there is none. */
  file: string;
  bytes: number;
  files: number;
  verdict: Verdict;
  reason: Failure;
  /** Files that the database names and that were not in the storage. */
  missing: number;
  /** What went wrong, as a sentence for whoever runs the server. */
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

/** Seconds by which the clocks of two machines may differ. */
const clockTolerance = 3600;

/** Of those that the schedule made; none that a clock which was wrong has dated in days to come: they would hold up the next. */
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

/** Tells whether the end of one that began at or after `since` was noted. */
export async function isNoted(db: Database, kind: BackupKind, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('backup')
    .select('id')
    .where('kind', '=', kind)
    .where('started_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The last one that was tried, of the schedule or of somebody, and when the last one ended well. */
export async function lastMade(
  db: Database,
): Promise<{ last: { reason: Failure } | undefined; succeededAt: number | undefined }> {
  const made = db.selectFrom('backup').where('kind', '!=', 'restore_point').orderBy('started_at', 'desc').limit(1);
  const [last, succeeded] = await Promise.all([
    made.select('reason').executeTakeFirst(),
    made.select('ended_at').where('verdict', '!=', 'failed').executeTakeFirst(),
  ]);
  return { last, succeededAt: succeeded?.ended_at };
}
