/** States of all queues, for metrics and the system page. */
import { importQueue } from '#server/import/running-imports.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { exportQueueState } from '#server/platform/export/export-file.ts';
import type { QueueState } from '#server/platform/monitoring/queue.ts';
import { messagesByReceiver, type ReceiverMessages } from '#server/platform/sms/outbox.ts';
import type { queueNames } from './rules.ts';

export type QueueName = keyof typeof queueNames;

/** Returns the state of each queue. `now` in unix seconds. */
export async function queueStates(db: Database, now: number): Promise<Record<QueueName, QueueState>> {
  const [receivers, imports, exports] = await Promise.all([
    messagesByReceiver(db),
    importQueue(db),
    exportQueueState(db, now),
  ]);
  return {
    messages: summarizeQueue(receivers.filter(({ webhook_id }) => webhook_id === null)),
    webhooks: summarizeQueue(receivers.filter(({ webhook_id }) => webhook_id !== null)),
    imports,
    exports,
  };
}

function summarizeQueue(receivers: readonly ReceiverMessages[]): QueueState {
  const failedId = ({ failed_id }: ReceiverMessages) => failed_id ?? 0;
  const sum = (count: 'waiting' | 'failing') => receivers.reduce((all, receiver) => all + receiver[count], 0);
  return {
    waiting: sum('waiting'),
    oldestAt: receivers.length > 0 ? Math.min(...receivers.map(({ oldest_at }) => oldest_at)) : null,
    failing: sum('failing'),
    error: receivers.toSorted((one, other) => failedId(other) - failedId(one))[0]?.error ?? '',
  };
}
