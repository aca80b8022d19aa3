/** What goes on behind the requests, each named once: for the figures and for the screen. */
import { importsAtWork } from '#server/import/at-work.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { filesInTheMaking } from '#server/platform/export/export-file.ts';
import type { QueueState } from '#server/platform/monitoring/queue.ts';
import { waitingMessages } from '#server/platform/sms/outbox.ts';
import type { queueNames } from './rules.ts';

export type QueueName = keyof typeof queueNames;

/** `now` in unix seconds. */
export const queues: Record<QueueName, (db: Database, now: number) => Promise<QueueState>> = {
  messages: (db) => waitingMessages(db, { toWebhooks: false }),
  webhooks: (db) => waitingMessages(db, { toWebhooks: true }),
  imports: importsAtWork,
  exports: filesInTheMaking,
};
