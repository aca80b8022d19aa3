/** How one text message leaves the services: by the school's webhook, or, without one, into the log. */
import type { Log } from '#server/platform/calls/log.ts';

export interface Message {
  /** The same at every try: the receiver tells a repetition by it. */
  id: string;
  mobile: string;
  content: string;
}

/** Resolves when the receiver has the message, rejects when it is to be tried again. */
export type Deliver = (message: Message) => Promise<void>;

/** Milliseconds after which a receiver counts as away. */
const patience = 5_000;

/** Posts `{id, mobile, content}` as JSON, the id also as `Idempotency-Key`. Any status of 2xx is the receipt. */
export function webhookDelivery(url: string, timeout = patience): Deliver {
  return async ({ id, mobile, content }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ id, mobile, content }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
  };
}

export function logDelivery(log: Log): Deliver {
  return async ({ id, mobile, content }) => {
    log.info({ id, mobile, content }, 'text message (no SMS_WEBHOOK_URL is set)');
  };
}

/** SMS_WEBHOOK_URL, else the log. */
export function deliveryOf(environment: { SMS_WEBHOOK_URL?: string | undefined }, log: Log): Deliver {
  const url = environment.SMS_WEBHOOK_URL?.trim();
  return url ? webhookDelivery(url) : logDelivery(log);
}
