/** Idempotency keys, by which a double click, a retry or a reload creates only one record. */
import { createHash } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';
import type { Caller } from './backend.ts';
import type { Envelope } from './envelope.ts';
import { conflict, isRefusal, type Refusal } from './outcome.ts';

/**
 * Header that identifies the content where the body of a retry differs, for instance because a file was uploaded again
 * to another address. Any text.
 */
export const contentHeader = 'idempotency-content';

/** Part of a refusal that tells a form to use a new key. */
export const keyInUse = { idempotency_key: 'taken' };

/** Seconds until a key and its answer are purged. */
const keyLifetime = 24 * 60 * 60;

interface KeyedRequest {
  caller: Caller;
  key: string | undefined;
  /** Method and path; a key is only valid for the same ones. */
  request: string;
  /** Returns the request as text; a key is only valid for the same content. */
  content: () => string;
  /** Unix seconds. */
  now: number;
}

/**
 * Runs `work` once per key; when the key is repeated, returns the stored answer. The key is written in the transaction
 * of the work, so both are committed or neither. A second request waits for the first one at the row of the key.
 */
export async function withIdempotency(
  db: Database,
  { caller, key, request, content, now }: KeyedRequest,
  work: () => Promise<Envelope | Refusal>,
): Promise<Envelope | Refusal> {
  if (!key) return work();
  const content_hash = createHash('sha256').update(content()).digest('base64url');
  const mine = { staff_id: caller.id, idempotency_key: key.slice(0, 200) };
  await db
    .deleteFrom('accepted_request')
    .where('accepted_at', '<', now - keyLifetime)
    .execute();
  const claimed = await db
    .insertInto('accepted_request')
    .values({ ...mine, request, content_hash, answer: '', accepted_at: now })
    .onConflict((conflicting) => conflicting.columns(['staff_id', 'idempotency_key']).doNothing())
    .executeTakeFirst();
  const byKey = (['staff_id', 'idempotency_key'] as const).map((column) => [column, mine[column]] as const);
  if (claimed.numInsertedOrUpdatedRows === 0n) {
    let earlier = db.selectFrom('accepted_request').select(['request', 'content_hash', 'answer']);
    for (const [column, value] of byKey) earlier = earlier.where(column, '=', value);
    const found = await earlier.executeTakeFirstOrThrow();
    const isSame = found.request === request && (found.content_hash ?? content_hash) === content_hash;
    if (!isSame) return conflict('内容已变化，请重新提交', keyInUse);
    return JSON.parse(found.answer) as Envelope;
  }
  const outcome = await work();
  if (isRefusal(outcome)) return outcome;
  let kept = db.updateTable('accepted_request').set({ answer: JSON.stringify(outcome) });
  for (const [column, value] of byKey) kept = kept.where(column, '=', value);
  await kept.execute();
  return outcome;
}

/** Purges expired keys with their answers; returns how many. */
export async function purgeRequests(db: Database, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('accepted_request')
    .where('accepted_at', '<', now - keyLifetime)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
