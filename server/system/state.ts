/** Builds the server state for administrators of all schools. */

import { sql } from 'kysely';
import { forbidden, type Refusal } from '#server/platform/calls/outcome.ts';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { productVersion } from '#server/platform/monitoring/version.ts';
import { stateOfSchema } from '#server/schema/migrate.ts';
import type { RuleContext } from '#server/school/context.ts';
import { deliversTextMessages, retentionDay } from '#server/school/settings.ts';
import { settingsMessages } from '#server/settings/rules.ts';
import type { SystemState } from './contract.ts';
import { lastBackup } from './last-backup.ts';
import { policyReports } from './policy-reports.ts';
import { compareStorage, heartbeatTimeout, servingProcesses } from './processes.ts';
import { type QueueName, queueStates } from './queues.ts';
import { checkReadiness } from './readiness.ts';
import type { ReadinessName } from './rules.ts';

/** Returns the state of the server. 403: an administrator of some schools. */
export async function systemState({
  db,
  actor,
  now,
  log,
  storage,
  database,
}: RuleContext<'actor' | 'now' | 'log' | 'storage' | 'database'>): Promise<SystemState | Refusal> {
  if (!actor.everySchool) return forbidden(settingsMessages.everySchool);
  const ready = await checkReadiness({ database, storage, log });
  const backup = await lastBackup(db);
  const queues = await queueStates(db, now);
  const { done, at, toDo, unknown } = await stateOfSchema(db);
  return {
    version: productVersion(),
    node: process.versions.node,
    engine: database.engine,
    ...(await engineOf(database)),
    migration: { latest: done.at(-1) ?? '', at, pending: toDo, newer: unknown },
    ready: (Object.keys(ready) as ReadinessName[]).map((name) => ({ name, state: ready[name] })),
    queues: (Object.keys(queues) as QueueName[]).map((name) => {
      const { waiting, oldestAt, failing, error } = queues[name];
      return { name, waiting, oldest_at: oldestAt, failing, error };
    }),
    sends_texts: (await deliversTextMessages(db, now)) ? 1 : 0,
    storage: await storage.usage(),
    backup: backup ? { succeeded_at: backup.succeededAt, failure: backup.failure } : null,
    cleared_on: await retentionDay(db),
    policy_reports: await policyReports(db),
    processes: await Promise.all(
      (await servingProcesses(db)).map(async ({ storage: mark, ...one }) => ({
        ...one,
        is_gone: now - one.seen_at > heartbeatTimeout ? (1 as const) : (0 as const),
        files: ready.storage === 'up' ? await compareStorage(mark, { database, storage }) : 'unknown',
      })),
    ),
  };
}

async function engineOf({ db, engine }: OpenDatabase): Promise<{ engine_version: string; database_bytes: number }> {
  const asked =
    engine === 'postgres'
      ? sql<{ version: string; bytes: number }>`
          select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`
      : sql<{ version: string; bytes: number }>`
          select sqlite_version() as version, page_count * page_size as bytes
          from pragma_page_count(), pragma_page_size()`;
  const { version = '', bytes = 0 } = (await asked.execute(db)).rows[0] ?? {};
  return { engine_version: version, database_bytes: Number(bytes) };
}
