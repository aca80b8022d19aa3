/** State and list of backups. */

import { isJobLeased } from '#server/platform/background/work.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { RuleContext } from '#server/school/context.ts';
import { settingsRefusal } from '#server/settings/changes.ts';
import type { Backups } from './contract.ts';
import { isEncrypting, keysOfSettings } from './keys.ts';
import { lastBackups } from './records.ts';
import { isOverdue, parseEvery } from './rules.ts';
import { backupJob } from './schedule.ts';

export type BackupState = Backups['state'];

/** Returns the state of scheduled backups. */
export async function backupState(db: Database, now: number): Promise<BackupState> {
  if (setting('BACKUP_DIR') === '') return 'none';
  const { ended, tried } = await lastBackups(db, now);
  if (tried === undefined) return 'none';
  if (isOverdue(parseEvery(setting('BACKUP_EVERY')), ended, now)) return 'overdue';
  return tried > (ended ?? 0) ? 'failed' : 'ok';
}

/** Maximum number of backups in the list. */
const shown = 50;

/** Lists backups for the screen. 403: administrator of some schools only. */
export async function backups({ db, actor, now }: RuleContext<'actor' | 'now'>): Promise<Backups | Refusal> {
  const refusal = settingsRefusal({ actor });
  if (refusal) return refusal;
  const isScheduled = setting('BACKUP_DIR') !== '';
  return {
    every: isScheduled ? setting('BACKUP_EVERY') : '',
    keep: isScheduled ? setting('BACKUP_KEEP') : '',
    is_encrypted: isEncrypting(keysOfSettings()) ? 1 : 0,
    state: await backupState(db, now),
    is_running: (await isJobLeased(db, backupJob, now)) ? 1 : 0,
    list: await db
      .selectFrom('backup')
      .select(['id', 'kind', 'file', 'bytes', 'files', 'verdict', 'reason', 'missing', 'started_at', 'ended_at'])
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(shown)
      .execute(),
  };
}
