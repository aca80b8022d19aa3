/**
 * Text messages on their way out: written in the transaction that causes them, so that they go
 * out exactly when it is committed; sent by sender.ts.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';

export interface NewMessage {
  mobile: string;
  content: string;
  sessionId: number;
  studentId: number;
}

/** Rows of one statement. */
const chunk = 500;

/** Who has no number is left out: a message to nobody would be tried for ever. `now` in unix seconds. */
export async function queueMessages(db: Database, messages: readonly NewMessage[], now: number): Promise<void> {
  const reachable = messages.filter(({ mobile }) => mobile.trim() !== '');
  for (let from = 0; from < reachable.length; from += chunk) {
    await db
      .insertInto('sms_outbox')
      .values(
        reachable.slice(from, from + chunk).map(({ mobile, content, sessionId, studentId }) => ({
          message_id: randomUUID(),
          mobile,
          content,
          session_id: sessionId,
          student_id: studentId,
          created_at: now,
          next_try_at: now,
          delivered_at: null,
        })),
      )
      .execute();
  }
}
