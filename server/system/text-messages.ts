/** State of sending text messages, for administrators. */
import type { Database } from '#server/platform/db/engine.ts';
import { areTextsDue, areTextsFailing } from '#server/platform/sms/outbox.ts';
import { deliversTextMessages } from '#server/school/settings.ts';
import type { TextState } from './rules.ts';

/** Seconds for which administrators see a notice of an undelivered message. */
const recent = 30 * 24 * 60 * 60;

/** `now` in unix seconds. */
export async function textState(db: Database, now: number): Promise<TextState> {
  if (await deliversTextMessages(db, now)) return (await areTextsFailing(db)) ? 'failing' : 'ok';
  return (await areTextsDue(db, now - recent)) ? 'nowhere' : 'ok';
}
