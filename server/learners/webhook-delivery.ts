/**
 * Delivers events to an application's webhook: a POST request that is signed with the secret shown when the webhook was
 * set.
 */
import { createHmac } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';
import type { Deliver } from '#server/platform/sms/delivery.ts';

/** Timeout of a delivery, and pause of a receiver after a failed delivery, in milliseconds. */
const responseTimeout = 5_000;
const pauseAfterFailure = 10_000;

/** HTTP statuses of a receiver that is overloaded or missing. All its events then wait. */
const awayStatuses = [429, 502, 503, 504];
/** Thrown if the receiver has answered, but refused this event. */
class RefusedEvent extends Error {}

/** Signature header `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>`. */
export const signatureOf = (secret: string, body: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

/** Delivers webhook messages, and passes text messages to `others`. Drops messages of a webhook that was removed. */
export function deliveryToWebhooks(db: Database, now: () => number, others: Deliver): Deliver {
  const awayUntil = new Map<number, number>();
  return async (message) => {
    const { webhookId, id, content } = message;
    if (webhookId === undefined) return others(message);
    const hook = await db
      .selectFrom('webhook')
      .innerJoin('service_token', 'service_token.id', 'webhook.token_id')
      .select(['webhook.url', 'webhook.secret'])
      .where('webhook.token_id', '=', webhookId)
      .where('webhook.ended_at', 'is', null)
      .where('service_token.revoked_at', 'is', null)
      .executeTakeFirst();
    if (!hook) return;
    // While this receiver is paused after a failure, its events fail at once: each would otherwise wait for the
    // timeout and hold up the text messages of the same queue.
    if (performance.now() < (awayUntil.get(webhookId) ?? 0)) throw new Error('the webhook was away just now');
    try {
      const response = await fetchOutgoing(hook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          'x-signature': signatureOf(hook.secret, content, now()),
        },
        body: content,
        signal: AbortSignal.timeout(responseTimeout),
      });
      await response.body?.cancel();
      // An event that the receiver refuses holds back only the events of its student. A gateway error holds back all
      // events, since the receiver is away.
      if (response.ok || !awayStatuses.includes(response.status)) awayUntil.delete(webhookId);
      else awayUntil.set(webhookId, performance.now() + pauseAfterFailure);
      if (!response.ok) throw new RefusedEvent(`status ${response.status}`);
    } catch (error) {
      if (!(error instanceof RefusedEvent)) awayUntil.set(webhookId, performance.now() + pauseAfterFailure);
      throw error;
    }
  };
}
