/** A double click, a retry and a reload make one record (decisions, section 6). */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import type { Envelope } from './envelope.ts';
import { conflict, isRefusal, type Refusal } from './outcome.ts';

/** Seconds after which a key is forgotten. */
const keptFor = 24 * 60 * 60;

interface Request {
  actor: Actor;
  key: string | undefined;
  /** Method and path: a key belongs to one of them. */
  request: string;
  /** Unix seconds. */
  now: number;
}

/**
 * Runs `work` once for each key; the same key again is answered with what the first was answered.
 * The key is written in the transaction of the work itself, so both are there or neither is. A second request
 * that arrives while the first runs waits for it at the key's row.
 */
export async function answerOnce(
  db: Database,
  { actor, key, request, now }: Request,
  work: () => Promise<Envelope | Refusal>,
): Promise<Envelope | Refusal> {
  if (!key) return work();
  const mine = { staff_id: actor.id, idempotency_key: key.slice(0, 200) };
  await db
    .deleteFrom('accepted_request')
    .where('accepted_at', '<', now - keptFor)
    .execute();
  const claimed = await db
    .insertInto('accepted_request')
    .values({ ...mine, request, answer: '', accepted_at: now })
    .onConflict((conflicting) => conflicting.columns(['staff_id', 'idempotency_key']).doNothing())
    .executeTakeFirst();
  const byKey = (['staff_id', 'idempotency_key'] as const).map((column) => [column, mine[column]] as const);
  if (claimed.numInsertedOrUpdatedRows === 0n) {
    let earlier = db.selectFrom('accepted_request').select(['request', 'answer']);
    for (const [column, value] of byKey) earlier = earlier.where(column, '=', value);
    const found = await earlier.executeTakeFirstOrThrow();
    if (found.request !== request) return conflict('该请求标识已用于其他操作');
    return JSON.parse(found.answer) as Envelope;
  }
  const outcome = await work();
  if (isRefusal(outcome)) return outcome;
  let kept = db.updateTable('accepted_request').set({ answer: JSON.stringify(outcome) });
  for (const [column, value] of byKey) kept = kept.where(column, '=', value);
  await kept.execute();
  return outcome;
}
