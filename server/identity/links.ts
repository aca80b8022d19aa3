/**
 * Links accounts of an identity provider to staff: by staff number at the first sign-in, otherwise after an
 * administrator approves. Administrators are never linked by number, because whoever runs the provider or can choose a
 * number there could become one.
 */

import { usernameLimit } from '#server/account/rules.ts';
import type { NewStaff } from '#server/account/staff.contract.ts';
import { addMember, lockedMember } from '#server/account/staff-changes.ts';
import { endSignInsById } from '#server/platform/auth/sign-in.ts';
import {
  conflict,
  forbidden,
  invalid,
  isRefusal,
  missing,
  Refusal,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import type { RuleContext } from '#server/school/context.ts';
import { mayBeLearners } from './account-conflicts.ts';
import type { LinkFilter, LinkRow } from './contract.ts';
import { type KnownProvider, ProviderError, type ProviderPerson, readProviderNames, realmOf } from './provider.ts';
import {
  alreadyLinkedMessage,
  decideFault,
  identityMessages,
  linkMessages,
  maxPendingLinks,
  missingLink,
  type ProviderKind,
  pendingLinkMessage,
  rejectFault,
  unlinkFault,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

// ---- first sign-in ----------------------------------------------------------------------------------

/**
 * Finds the member of staff whom a provider's account means; call inside a transaction. A known subject decides. The
 * number only counts at the first sign-in, and only for staff without another link to this provider. An account that may
 * be a learner's waits.
 */
export async function matchingStaff(
  db: Database,
  provider: KnownProvider,
  { person, now }: { person: ProviderPerson; now: number },
): Promise<number | Refusal> {
  const realm = realmOf(provider);
  const number = person.number.slice(0, usernameLimit);
  const name = person.name.slice(0, 100);
  const known = await forUpdate(db)(
    db
      .selectFrom('identity_link')
      .select(['id', 'staff_id', 'state'])
      .where('provider', '=', provider.kind)
      .where('realm', '=', realm)
      .where('subject', '=', person.subject),
  ).executeTakeFirst();
  if (known) {
    const written = known.state === 'linked' ? { used_at: now } : { used_at: now, name, ...(number && { number }) };
    await db.updateTable('identity_link').set(written).where('id', '=', known.id).execute();
    if (known.state === 'linked' && known.staff_id !== null) return known.staff_id;
    if (known.state === 'rejected') return new Refusal('forbidden', identityMessages.rejected);
    return new Refusal('forbidden', pendingLinkMessage(number || person.subject));
  }
  if (number === '') throw new ProviderError('number', 'no number was said');
  const isLearners = await mayBeLearners(db, provider, person);
  const meant = isLearners ? undefined : await staffOfNumber(db, provider, person.number);
  const waits = meant === undefined;
  if (waits && (await waiting(db)) >= maxPendingLinks) return new Refusal('forbidden', identityMessages.crowded);
  const added = await db
    .insertInto('identity_link')
    .values({
      provider: provider.kind,
      realm,
      subject: person.subject,
      number,
      name,
      staff_id: meant ?? null,
      state: waits ? 'waiting' : 'linked',
      created_at: now,
      used_at: now,
    })
    .onConflict((taken) => taken.columns(['provider', 'realm', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst();
  // Two windows signed in at the same time, and the other one was first.
  if (!added) return conflict(identityMessages.expired);
  await recordHistory(db, {
    // The author in the history is the linked person; if there is no link yet, the person is unknown.
    actor: meant === undefined ? null : { id: meant },
    now,
    record: 'identity_link',
    recordId: added.id,
    action: waits ? 'request' : 'add',
    before: null,
    after: { provider: provider.kind, number, name, ...(meant !== undefined && { staff_id: meant }) },
  });
  return meant ?? new Refusal('forbidden', pendingLinkMessage(number));
}

async function staffOfNumber(db: Database, provider: KnownProvider, number: string): Promise<number | undefined> {
  const found = await forUpdate(db)(
    db.selectFrom('staff').select('id').where('username', '=', number.toLowerCase()).where('identity', '!=', 'admin'),
  ).executeTakeFirst();
  const of = { kind: provider.kind, realm: realmOf(provider) };
  return found && !(await isLinked(db, of, found.id)) ? found.id : undefined;
}

/** True if the staff member already has a link to this provider. */
const isLinked = async (db: Database, { kind, realm }: { kind: ProviderKind; realm: string }, staff: number) =>
  (await countOf(
    db
      .selectFrom('identity_link')
      .where('staff_id', '=', staff)
      .where('provider', '=', kind)
      .where('realm', '=', realm),
  )) > 0;

const waiting = (db: Database) => countOf(db.selectFrom('identity_link').where('state', '=', 'waiting'));

/** Counts the link requests that wait for this administrator. */
export const pendingLinks = async ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>): Promise<number> =>
  actor.everySchool ? waiting(db) : 0;

// ---- administration ----------------------------------------------------------------------------

/** 403: not an administrator of all schools. */
export const everySchool = ({ actor }: Pick<RequestContext, 'actor'>): Refusal | undefined =>
  actor.everySchool ? undefined : forbidden(linkMessages.everySchool);

const rows = (db: Database) =>
  db
    .selectFrom('identity_link')
    .leftJoin('staff', 'staff.id', 'identity_link.staff_id')
    .select([
      'identity_link.id',
      'identity_link.provider',
      'identity_link.realm',
      'identity_link.number',
      'identity_link.name',
      'identity_link.state',
      'identity_link.created_at',
      'identity_link.used_at',
      'staff.id as staff_id',
      'staff.real_name',
      'staff.username',
    ]);
type StoredLink = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

async function toLinkRows(db: Database, found: readonly StoredLink[]): Promise<LinkRow[]> {
  const nameOf = await readProviderNames(db);
  return found.map(({ realm: _, staff_id, real_name, username, ...row }) => ({
    ...row,
    provider_name: nameOf(row.provider),
    staff: staff_id === null ? null : { id: staff_id, name: real_name ?? '', username: username ?? '' },
  }));
}

/** Lists links and requests. 403: not an administrator of all schools. */
export async function linkPage(
  context: RequestContext,
  { name, state, provider, ...paging }: LinkFilter,
): Promise<Page<LinkRow> | Refusal> {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const { db } = context;
  let query = rows(db);
  if (name !== undefined) {
    query = query.where((eb) =>
      eb.or([
        nameContains('identity_link.name', name),
        containsText('identity_link.number', name),
        nameContains('staff.real_name', name),
      ]),
    );
  }
  if (state !== undefined) query = query.where('identity_link.state', '=', state);
  if (provider !== undefined) query = query.where('identity_link.provider', '=', provider);
  const found = await pageOf(query.clearSelect(), paging, query.orderBy('identity_link.id', 'desc'));
  return { ...found, list: await toLinkRows(db, found.list) };
}

/** Returns one link. 403: not an administrator of all schools. 404: no such link. */
export async function linkOf(context: RequestContext, id: number): Promise<LinkRow | Refusal> {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const found = await rows(context.db).where('identity_link.id', '=', id).executeTakeFirst();
  const [link] = found ? await toLinkRows(context.db, [found]) : [];
  return link ?? missing(missingLink);
}

/** Loads the link and locks it. */
async function lockedLink(context: RequestContext, id: number) {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const { db } = context;
  const link = await forUpdate(db)(db.selectFrom('identity_link').selectAll().where('id', '=', id)).executeTakeFirst();
  return link ?? missing(missingLink);
}
type Link = Exclude<Awaited<ReturnType<typeof lockedLink>>, Refusal>;

/**
 * Approves a request and links it to a member of staff. 404: no such link. 403: the person has more permissions than
 * the user. 422: user name. 409: already decided, or the person has another link.
 */
export async function approveLinkRequest(context: RequestContext, id: number, typed: string): Promise<null | Refusal> {
  const { db } = context;
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', decideFault(link));
  if (refusal) return refusal;
  const username = typed.trim().toLowerCase();
  if (username === '') return invalid({ username: [linkMessages.noUsername] });
  const found = await db.selectFrom('staff').select('id').where('username', '=', username).executeTakeFirst();
  if (!found) return invalid({ username: [linkMessages.unknown] });
  const member = await lockedMember(context, found.id);
  if (isRefusal(member)) return member;
  if (member.is_disabled === 1) return invalid({ username: [linkMessages.disabled] });
  return linkTo(context, link, member.id);
}

/**
 * Approves a request for a person who is not on the staff yet: adds them first. Refused for the same reasons as
 * `addMember` and `approveLinkRequest`.
 */
export async function approveAsNewStaff(
  context: RequestContext,
  id: number,
  body: NewStaff,
): Promise<{ id: number } | Refusal> {
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', decideFault(link));
  if (refusal) return refusal;
  const added = await addMember(context, body);
  if (isRefusal(added)) return added;
  const linked = await linkTo(context, link, added.id);
  return linked ?? added;
}

async function linkTo({ db, actor, now }: RequestContext, link: Link, staff_id: number): Promise<null | Refusal> {
  if (await isLinked(db, { kind: link.provider, realm: link.realm }, staff_id)) {
    return conflict(alreadyLinkedMessage((await readProviderNames(db))(link.provider)));
  }
  await db.updateTable('identity_link').set({ staff_id, state: 'linked' }).where('id', '=', link.id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'identity_link',
    recordId: link.id,
    action: 'approve',
    before: { staff_id: null },
    after: { provider: link.provider, number: link.number, staff_id },
  });
  return null;
}

/** Rejects a request. 404: no such link. 409: already decided. */
export async function rejectLinkRequest(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', rejectFault(link));
  if (refusal) return refusal;
  await db.updateTable('identity_link').set({ state: 'rejected' }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'identity_link',
    recordId: id,
    action: 'reject',
    before: null,
    after: { provider: link.provider, number: link.number },
  });
  return null;
}

/**
 * Removes a person's link and ends their sign-ins by that provider. 404: no such link. 403: they have more permissions
 * than the user. 409: not linked.
 */
export async function unlinkPerson(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', unlinkFault(link));
  if (refusal) return refusal;
  const { staff_id } = link;
  if (staff_id !== null) {
    const member = await lockedMember(context, staff_id);
    if (isRefusal(member)) return member;
  }
  await db.updateTable('identity_link').set({ staff_id: null, state: 'waiting' }).where('id', '=', id).execute();
  await endProviderSessions(db, { provider: link.provider, realm: link.realm, subject: link.subject }, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'identity_link',
    recordId: id,
    action: 'remove',
    before: { staff_id },
    after: { provider: link.provider, number: link.number, staff_id: null },
  });
  return null;
}

// ---- remote sign-out ---------------------------------------------------------------------------------

/**
 * Ends the sign-ins that a provider reports as over, if they began no later than `begunBefore`; returns the ids of the
 * staff.
 */
export async function endProviderSessions(
  db: Database,
  by: { provider: ProviderKind; realm: string; subject?: string; session?: string },
  now: number,
  begunBefore = now,
): Promise<number[]> {
  let sessions = db
    .selectFrom('identity_session')
    .select('sign_in_id')
    .where('provider', '=', by.provider)
    .where('realm', '=', by.realm);
  if (by.subject) sessions = sessions.where('subject', '=', by.subject);
  if (by.session) sessions = sessions.where('session_key', '=', by.session);
  const ids = (await sessions.execute()).map(({ sign_in_id }) => sign_in_id);
  return ids.length === 0 ? [] : endSignInsById(db, ids, { now, begunBefore });
}
