/** Delivers one text message: by the school's webhook, or into the log if there is none. */
import type { Log } from '#server/platform/monitoring/log.ts';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';

export interface Message {
  /** Id of the message, the same in every retry, so that the receiver recognises it. */
  id: string;
  mobile: string;
  content: string;
  /** Id of the application's webhook that receives the event; undefined for a text message. */
  webhookId?: number;
}

/** Delivers a message. Resolves when the receiver has accepted it; rejects if it must be tried again. */
export type Deliver = (message: Message) => Promise<void>;

/** Timeout in milliseconds. */
const responseTimeout = 5_000;

/** Posts `{id, mobile, content}` as JSON with the id as `Idempotency-Key`. Any 2xx status counts as delivered. */
export function webhookDelivery(url: string, timeout = responseTimeout): Deliver {
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
 * Writes the message to the log. Mobile number and text are logged only in a demo school, where both are invented; the
 * log of a real school only says that nobody received the message.
 */
export function logDelivery(log: Log, isDemo: () => Promise<boolean>): Deliver {
  return async ({ id, mobile, content }) => {
    if (await isDemo()) log.info({ id, mobile, content }, 'text message of the demo school');
    else log.warn({ id }, 'text message that nobody gets: no address of a receiver is set (SMS_WEBHOOK_URL)');
  };
}

/**
 * Returns the sender signature that carriers require before each text message; a generic one if the school has no name.
 */
export const textSignature = (school: string): string => `【${school || '教学后台'}】`;

/**
 * Delivers by the school's webhook, or into the log if it has none. Address and school name are looked up for each
 * message, because both may change.
 */
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
