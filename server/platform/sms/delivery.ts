/** How one text message leaves the services: by the school's webhook, or, without one, into the log. */
import type { Log } from '#server/platform/monitoring/log.ts';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';

export interface Message {
  /** The same at every try: the receiver tells a repetition by it. */
  id: string;
  mobile: string;
  content: string;
  /** Of what is told to an application; else it is a text message. */
  webhookId?: number;
}

/** Resolves when the receiver has the message, rejects when it is to be tried again. */
export type Deliver = (message: Message) => Promise<void>;

/** Milliseconds after which a receiver counts as away. */
const patience = 5_000;

/** Posts `{id, mobile, content}` as JSON, the id also as `Idempotency-Key`. Any status of 2xx is the receipt. */
export function webhookDelivery(url: string, timeout = patience): Deliver {
  return async ({ id, mobile, content }) => {
    const response = await fetchOutgoing(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ id, mobile, content }),
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
  };
}

/**
 * Into the log, with number and text only where both are invented (`isDemo`): what the log of a school says of it is that
 * there was one, and that nobody got it.
 */
export function logDelivery(log: Log, isDemo: () => Promise<boolean>): Deliver {
  return async ({ id, mobile, content }) => {
    if (await isDemo()) log.info({ id, mobile, content }, 'text message of the demo school');
    else log.warn({ id }, 'text message that nobody gets: no address of a receiver is set (SMS_WEBHOOK_URL)');
  };
}

/** Signature that carriers require in front of every text message; a generic one if the school has no name. */
export const textSignature = (school: string): string => `【${school || '教学后台'}】`;

/** Looks up address and school name for each message, as both may change; logs the message if there is no address. */
export function deliveryTo(
  { address, school }: { address: () => Promise<string>; school: () => Promise<string> },
  log: Log,
  isDemo: () => Promise<boolean>,
): Deliver {
  const toLog = logDelivery(log, isDemo);
  return async (message) => {
    const url = await address();
    if (!url) return toLog(message);
    const content = textSignature(await school()) + message.content;
    return webhookDelivery(url)({ ...message, content });
  };
}
