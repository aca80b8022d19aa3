/**
 * Outbox for text messages and webhooks. A message is written in the transaction that causes it, so it is sent if and
 * only if that transaction commits. sender.ts sends the messages.
 */
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Insertable } from 'kysely';
import { failuresUntilAlert } from '#server/platform/background/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';

/** A message to queue: number, text and data of the product. */
export type NewMessage = Omit<
  Insertable<Tables['sms_outbox']>,
  'id' | 'message_id' | 'created_at' | 'next_try_at' | 'tries' | 'last_error' | 'delivered_at' | 'webhook_id' | 'lane'
>;

/** Rows per statement. */
const chunk = 500;

/** Queues text messages; skips people without a number. `now` in unix seconds. */
export async function queueMessages(db: Database, messages: readonly NewMessage[], now: number): Promise<void> {
  const reachable = messages.filter(({ mobile }) => mobile.trim() !== '');
  for (let from = 0; from < reachable.length; from += chunk) {
    await db
      .insertInto('sms_outbox')
      .values(
        reachable.slice(from, from + chunk).map((message) => ({
          ...message,
          message_id: randomUUID(),
          created_at: now,
          next_try_at: now,
          delivered_at: null,
        })),
      )
      .execute();
  }
}

/** Queues messages for applications' webhooks. Messages with the same `lane` are delivered in order. */
export async function queueForWebhooks(
  db: Database,
  messages: readonly { webhook_id: number; lane: string; content: string }[],
  now: number,
): Promise<void> {
  for (let from = 0; from < messages.length; from += chunk) {
    await db
      .insertInto('sms_outbox')
      .values(
        messages.slice(from, from + chunk).map((message) => ({
          ...message,
          mobile: '',
          session_id: null,
          student_id: null,
          message_id: randomUUID(),
          created_at: now,
          next_try_at: now,
          delivered_at: null,
        })),
      )
      .execute();
  }
}

/** Deletes undelivered messages of a webhook that was removed. */
export async function dropForWebhook(db: Database, webhookId: number): Promise<void> {
  await db.deleteFrom('sms_outbox').where('webhook_id', '=', webhookId).where('delivered_at', 'is', null).execute();
}

/** Purges at most `most` messages delivered before `arrivedBefore` (unix seconds); returns how many. */
export async function purgeMessages(
  db: Database,
  { arrivedBefore, most }: { arrivedBefore: number; most: number },
): Promise<number> {
  const old = db
    .selectFrom('sms_outbox')
    .select('id')
    .where('delivered_at', '<', arrivedBefore)
    .orderBy('delivered_at')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('sms_outbox').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Purges messages that were never delivered and are too old to be useful. */
export async function dropUnsentMessages(
  db: Database,
  { writtenBefore, most }: { writtenBefore: number; most: number },
): Promise<number> {
  const old = db
    .selectFrom('sms_outbox')
    .select('id')
    .where('delivered_at', 'is', null)
    .where('created_at', '<', writtenBefore)
    .orderBy('created_at')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('sms_outbox').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Undelivered messages of one receiver: a webhook, or null for text messages. */
export interface ReceiverMessages {
  webhook_id: number | null;
  waiting: number;
  /**
   * `failing`: number of messages that have failed at least once. `stuck`: number of failing messages that somebody
   * must look at.
   */
  failing: number;
  stuck: number;
  /** When the oldest message was queued, unix seconds. */
  oldest_at: number;
  /** Time of the next attempt. */
  next_at: number;
  /** Number of attempts of the message that was tried most often. */
  tries: number;
  /** Error of the latest failure, without personal data, and the id of the failed message. */
  error: string;
  failed_id: number | null;
}

export async function messagesByReceiver(db: Database): Promise<ReceiverMessages[]> {
  const triedFrom = (eb: ExpressionBuilder<Tables, 'sms_outbox'>, tries: number) =>
    eb.fn.sum<number>(eb.case().when('tries', '>=', tries).then(1).else(0).end());
  const rows = await db
    .selectFrom('sms_outbox')
    .select((eb) => [
      'webhook_id',
      eb.fn.countAll<number>().as('waiting'),
      triedFrom(eb, 1).as('failing'),
      triedFrom(eb, failuresUntilAlert).as('stuck'),
      eb.fn.min('created_at').as('oldest_at'),
      eb.fn.min('next_try_at').as('next_at'),
      eb.fn.max('tries').as('tries'),
      eb.fn.max(eb.case().when('last_error', '<>', '').then(eb.ref('id')).end()).as('failed_id'),
    ])
    .where('delivered_at', 'is', null)
    .groupBy('webhook_id')
    .execute();
  const failed = rows.flatMap(({ failed_id }) => failed_id ?? []);
  const errors =
    failed.length === 0
      ? []
      : await db.selectFrom('sms_outbox').select(['id', 'last_error']).where('id', 'in', failed).execute();
  const errorOf = new Map(errors.map(({ id, last_error }) => [id, last_error]));
  return rows.map((row) => ({
    ...row,
    waiting: Number(row.waiting),
    failing: Number(row.failing),
    stuck: Number(row.stuck),
    error: errorOf.get(row.failed_id ?? 0) ?? '',
  }));
}

const textMessages = (db: Database) =>
  db.selectFrom('sms_outbox').select('id').where('webhook_id', 'is', null).limit(1);

/** Returns true if the receiver refuses text messages, or cannot be reached. */
export async function areTextsFailing(db: Database): Promise<boolean> {
  const failing = textMessages(db).where('delivered_at', 'is', null).where('tries', '>=', failuresUntilAlert);
  return (await failing.executeTakeFirst()) !== undefined;
}

/**
 * True if a text message waits, or was delivered after `since` (unix seconds). If there is no receiver, delivered means
 * that it was written to the log.
 */
export async function areTextsDue(db: Database, since: number): Promise<boolean> {
  const due = textMessages(db).where((eb) => eb.or([eb('delivered_at', 'is', null), eb('delivered_at', '>', since)]));
  return (await due.executeTakeFirst()) !== undefined;
}

/**
 * Makes failed messages due now: the messages of a webhook or, if `webhookId` is null, text messages. False if none has
 * failed.
 */
export async function wakeMessages(db: Database, webhookId: number | null, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sms_outbox')
    .set({ next_try_at: now })
    .where('webhook_id', webhookId === null ? 'is' : '=', webhookId)
    .where('delivered_at', 'is', null)
    .where('tries', '>', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
