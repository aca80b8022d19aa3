/**
 * Text messages on their way out: written in the transaction that causes them, so that they go out exactly when it is
 * committed; sent by sender.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import type { SmsOutboxTable } from '#server/platform/db/schema.ts';

/** A number, what is said, and what the product keeps beside it. */
export type NewMessage = Omit<
  Insertable<SmsOutboxTable>,
  'id' | 'message_id' | 'created_at' | 'next_try_at' | 'tries' | 'last_error' | 'delivered_at'
>;

/** Rows of one statement. */
const chunk = 500;

/** Who has no number is left out: a message to nobody would be tried for ever. `now` in unix seconds. */
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
