import { isJobLeased } from '#server/platform/background/work.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { conflict, type Refusal } from '#server/platform/calls/outcome.ts';
import { withoutDeadline } from '#server/platform/db/deadline.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import type { RuleContext } from '#server/school/context.ts';
import { settingsRefusal } from '#server/settings/changes.ts';
import { backupMessages } from './rules.ts';
import { backupJob, createSchedule } from './schedule.ts';

/** Starts a backup for an administrator. 403: administrator of some schools only. 409: a backup is running. */
export async function requestBackup(
  context: RuleContext<'actor' | 'now' | 'database' | 'log'>,
): Promise<TransactionWork<null> | Refusal> {
  const { db, actor, now, database, log } = context;
  const refusal = settingsRefusal({ actor });
  if (refusal) return refusal;
  if (await isJobLeased(db, backupJob, now)) return conflict(backupMessages.running);
  // The backup runs in a child process. It can only open the configured database, not one in memory.
  if (database.location === databaseLocation()) {
    const schedule = createSchedule({ database, log, now: () => Math.floor(Date.now() / 1000) });
    withoutDeadline(
      () => void schedule.make('make').catch((error: unknown) => log.error({ err: error }, 'no backup was made')),
    );
  }
  return new TransactionWork(async (transaction) => {
    await recordHistory(transaction, {
      actor,
      now,
      record: 'setting',
      recordId: 1,
      action: 'backup',
      before: null,
      after: null,
    });
    return null;
  });
}
