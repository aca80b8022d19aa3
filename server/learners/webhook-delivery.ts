/** Tells an application what happened: a POST to its webhook, signed by the secret that was shown when it was set. */
import { createHmac } from 'node:crypto';
import type { Database } from '#server/platform/db/engine.ts';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';
import type { Deliver } from '#server/platform/sms/delivery.ts';

/** Milliseconds after which a receiver counts as away, and for which one that was away is not asked. */
const patience = 5_000;
const pauseAfterFailure = 10_000;

/** Too many requests, bad gateway, unavailable, gateway timeout: all events wait. */
const awayStatuses = [429, 502, 503, 504];
/** The receiver was there, and did not take this event. */
class RefusedEvent extends Error {}

/** `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>`. */
export const signatureOf = (secret: string, body: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

/** Text messages go on to `others`. What is for a webhook that was ended goes nowhere. */
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
    // Many wait for it, and so would the text messages behind them.
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
        signal: AbortSignal.timeout(patience),
      });
      await response.body?.cancel();
      // A refused event holds back only events of its student; a gateway error holds back all, as the receiver is away.
      if (response.ok || !awayStatuses.includes(response.status)) awayUntil.delete(webhookId);
      else awayUntil.set(webhookId, performance.now() + pauseAfterFailure);
      if (!response.ok) throw new RefusedEvent(`status ${response.status}`);
    } catch (error) {
      if (!(error instanceof RefusedEvent)) awayUntil.set(webhookId, performance.now() + pauseAfterFailure);
      throw error;
    }
  };
}
