/** Webhooks of applications: administrators set and remove them and have events sent again. */

import { randomBytes } from 'node:crypto';
import { conflict, invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { internalAddressMessage, isInternalAddress } from '#server/platform/outgoing/fetch.ts';
import { dropForWebhook, messagesByReceiver, queueForWebhooks } from '#server/platform/sms/outbox.ts';
import type { RuleContext } from '#server/school/context.ts';
import { messageOf } from './events.ts';
import { type LearnerEventKind, replayLimit, webhookMessages } from './rules.ts';
import { CompleteWebhook, type TokenRow, type Webhook, type WrittenWebhook } from './tokens.contract.ts';
import { tokenOf } from './tokens.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

const hookOf = (db: Database, tokenId: number) =>
  db.selectFrom('webhook').selectAll().where('token_id', '=', tokenId).where('ended_at', 'is', null);

const eventsOf = (stored: string) => JSON.parse(stored) as LearnerEventKind[];

/** Returns the webhook of a token. 404: not a token of the administrator's schools. */
export async function webhookOf(context: RequestContext, tokenId: number): Promise<Webhook | Refusal> {
  const token = await tokenOf(context, tokenId);
  if (isRefusal(token)) return token;
  const { db } = context;
  const hook = await hookOf(db, tokenId).executeTakeFirst();
  if (!hook) return { url: '', events: [], created_at: null, waiting: 0, error: '' };
  const { url, events, created_at } = hook;
  const { waiting = 0, error = '' } =
    (await messagesByReceiver(db)).find(({ webhook_id }) => webhook_id === tokenId) ?? {};
  return { url, events: eventsOf(events), created_at, waiting, error };
}

/**
 * Sets the webhook. Its secret is new each time, and is shown only in this answer. 404: not a token of the
 * administrator's schools. 409: the token is revoked. 422: errors by field.
 */
export async function saveWebhook(
  context: RequestContext,
  tokenId: number,
  written: WrittenWebhook,
): Promise<{ secret: string } | Refusal> {
  const { db, now } = context;
  const token = await heldToken(context, tokenId);
  if (isRefusal(token)) return token;
  const refusal = refuseFor('conflict', token.ended_at === null ? undefined : webhookMessages.tokenEnded);
  if (refusal) return refusal;
  const { output, errors } = validateComplete(CompleteWebhook, written);
  if (!output) return invalid(errors);
  if (isInternalAddress(output.url)) return invalid({ url: [internalAddressMessage] });
  const before = await hookOf(db, tokenId).executeTakeFirst();
  const secret = randomBytes(32).toString('base64url');
  const events = JSON.stringify(output.events);
  const kept = { url: output.url, events, secret, created_at: now, ended_at: null };
  await db
    .insertInto('webhook')
    .values({ token_id: tokenId, ...kept })
    .onConflict((known) => known.column('token_id').doUpdateSet(kept))
    .execute();
  await note(context, tokenId, 'webhook', {
    before: before ? { url: before.url, events: eventsOf(before.events).join('、') } : null,
    after: { url: output.url, events: output.events.join('、') },
  });
  return { secret };
}

/** Removes the webhook. 404: not a token of the administrator's schools. 409: the token has no webhook. */
export async function removeWebhook(context: RequestContext, tokenId: number): Promise<null | Refusal> {
  const { db, now } = context;
  const token = await heldToken(context, tokenId);
  if (isRefusal(token)) return token;
  const hook = await hookOf(db, tokenId).executeTakeFirst();
  if (!hook) return conflict(webhookMessages.none);
  await db.updateTable('webhook').set({ ended_at: now }).where('token_id', '=', tokenId).execute();
  await dropForWebhook(db, tokenId);
  await note(context, tokenId, 'end-webhook', { before: { url: hook.url }, after: { url: '' } });
  return null;
}

/**
 * Sends the events after the given one again, in order. 404: not a token of the administrator's schools. 409: the token
 * has no webhook.
 */
export async function replayEvents(
  context: RequestContext,
  tokenId: number,
  since: number,
): Promise<{ count: number; since: number } | Refusal> {
  const { db, now } = context;
  const token = await heldToken(context, tokenId);
  if (isRefusal(token)) return token;
  const hook = await hookOf(db, tokenId).executeTakeFirst();
  if (!hook) return conflict(webhookMessages.none);
  const schools = token.schools.map(({ id }) => id);
  const events = await db
    .selectFrom('learner_event')
    .selectAll()
    .where('id', '>', since)
    .where('kind', 'in', eventsOf(hook.events))
    .$if(token.every_school === 0, (query) => query.where('school_id', 'in', [-1, ...schools]))
    .orderBy('id')
    .limit(replayLimit)
    .execute();
  await queueForWebhooks(
    db,
    events.map((event) => messageOf(tokenId, event)),
    now,
  );
  const last = events.at(-1)?.id ?? since;
  await note(context, tokenId, 'replay', { before: null, after: { since, count: events.length } });
  return { count: events.length, since: last };
}

/** Locks and reads a token, so that nobody revokes it meanwhile. */
async function heldToken(context: RequestContext, tokenId: number): Promise<TokenRow | Refusal> {
  await forUpdate(context.db)(context.db.selectFrom('service_token').select('id').where('id', '=', tokenId)).execute();
  return tokenOf(context, tokenId);
}

const note = (
  { db, actor, now }: RequestContext,
  recordId: number,
  action: string,
  change: { before: Record<string, unknown> | null; after: Record<string, unknown> | null },
) => recordHistory(db, { actor, now, record: 'service_token', recordId, action, ...change });

/** Returns the names of applications by the id of their webhook. */
export async function webhookNames(db: Database): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('webhook')
    .innerJoin('service_token', 'service_token.id', 'webhook.token_id')
    .select(['webhook.token_id', 'service_token.name'])
    .where('webhook.ended_at', 'is', null)
    .where('service_token.revoked_at', 'is', null)
    .orderBy('webhook.token_id')
    .execute();
  return new Map(rows.map(({ token_id, name }) => [token_id, name]));
}
