import { usernameLimit } from '#server/account/rules.ts';
import { conflict, missing, Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { RuleContext } from '#server/school/context.ts';
import { endProviderSessions } from './links.ts';
import type { OwnIdentity } from './own-identities.contract.ts';
import { type KnownProvider, knownProviders, type ProviderPerson, realmOf } from './provider.ts';
import {
  identityMessages,
  lastMethodFault,
  linkOfAnotherMessage,
  notLinkedMessage,
  ownAlreadyLinkedMessage,
  type ProviderKind,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'policy'>;

/** Returns the enabled providers, each with the user's own link, if any. */
async function ownWays(db: Database, staffId: number) {
  const providers = (await knownProviders(db)).filter(({ isOn }) => isOn);
  const links = await forUpdate(db)(
    db
      .selectFrom('identity_link')
      .select(['id', 'provider', 'realm', 'subject', 'number', 'name', 'used_at'])
      .where('staff_id', '=', staffId)
      .where('state', '=', 'linked'),
  ).execute();
  return providers.map((provider) => ({
    provider,
    link: links.find((link) => link.provider === provider.kind && link.realm === realmOf(provider)),
  }));
}

/** True if the user can sign in with a password. */
async function hasPassword({ db, actor, policy }: RequestContext): Promise<boolean> {
  if (policy.password_sign_in === 'one' && policy.emergency_staff !== String(actor.id)) return false;
  const { password_hash, must_change_password } = await db
    .selectFrom('staff')
    .select(['password_hash', 'must_change_password'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return password_hash !== '' && must_change_password === 0;
}

export async function ownIdentities(context: RequestContext): Promise<OwnIdentity[]> {
  const ways = await ownWays(context.db, context.actor.id);
  const linked = ways.filter(({ link }) => link).length;
  const fault = lastMethodFault({ hasPassword: await hasPassword(context), others: linked - 1 }) ?? '';
  return ways.map(({ provider: { kind, name }, link }) => ({
    provider: kind,
    provider_name: name,
    is_linked: link ? 1 : 0,
    number: link?.number ?? '',
    name: link?.name ?? '',
    used_at: link?.used_at ?? null,
    fault: link ? fault : '',
  }));
}

/**
 * Removes the user's link to a provider; the current sign-in stays valid. 404: not linked. 409: the user could no
 * longer sign in.
 */
export async function unlinkOwnIdentity(context: RequestContext, kind: ProviderKind): Promise<null | Refusal> {
  const { db, actor, now } = context;
  await forUpdate(db)(db.selectFrom('staff').select('id').where('id', '=', actor.id)).execute();
  const ways = await ownWays(db, actor.id);
  const found = ways.find(({ provider, link }) => provider.kind === kind && link)?.link;
  if (!found) return missing(notLinkedMessage);
  const others = ways.filter(({ link }) => link && link !== found).length;
  const refusal = refuseFor('conflict', lastMethodFault({ hasPassword: await hasPassword(context), others }));
  if (refusal) return refusal;
  const { id, provider, realm, subject, number } = found;
  await db.deleteFrom('identity_session').where('sign_in_id', '=', actor.signInId).execute();
  await endProviderSessions(db, { provider, realm, subject }, now);
  await db.deleteFrom('identity_link').where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'identity_link',
    recordId: id,
    action: 'remove',
    before: { staff_id: actor.id },
    after: { provider, number, staff_id: null },
  });
  return null;
}

/**
 * Links the provider's account to the signed-in user; call inside a transaction. 403: an administrator rejected this
 * link. 409: linked to another user, or the user has another link.
 */
export async function linkOwnIdentity(
  db: Database,
  provider: KnownProvider,
  { person, staffId, now }: { person: ProviderPerson; staffId: number; now: number },
): Promise<null | Refusal> {
  await forUpdate(db)(db.selectFrom('staff').select('id').where('id', '=', staffId)).execute();
  const of = { provider: provider.kind, realm: realmOf(provider) };
  const links = await forUpdate(db)(
    db
      .selectFrom('identity_link')
      .select(['id', 'subject', 'staff_id', 'state'])
      .where('provider', '=', of.provider)
      .where('realm', '=', of.realm)
      .where((eb) => eb.or([eb('subject', '=', person.subject), eb('staff_id', '=', staffId)])),
  ).execute();
  const own = links.find(({ staff_id }) => staff_id === staffId);
  if (own) return own.subject === person.subject ? null : conflict(ownAlreadyLinkedMessage(provider.name));
  const [known] = links;
  if (known?.state === 'rejected') return new Refusal('forbidden', identityMessages.rejected);
  if (known?.state === 'linked') return conflict(linkOfAnotherMessage(provider.name));
  const stored = { number: person.number.slice(0, usernameLimit), name: person.name.slice(0, 100) };
  const linked = { ...stored, staff_id: staffId, state: 'linked' as const, used_at: now };
  if (known) await db.updateTable('identity_link').set(linked).where('id', '=', known.id).execute();
  const added = known
    ? known
    : await db
        .insertInto('identity_link')
        .values({ ...of, subject: person.subject, ...linked, created_at: now })
        .onConflict((taken) => taken.columns(['provider', 'realm', 'subject']).doNothing())
        .returning('id')
        .executeTakeFirst();
  // Two windows sent the request at the same time, and the other one was first.
  if (!added) return conflict(identityMessages.expired);
  await recordHistory(db, {
    actor: { id: staffId },
    now,
    record: 'identity_link',
    recordId: added.id,
    action: 'link',
    before: null,
    after: { provider: of.provider, ...stored, staff_id: staffId },
  });
  return null;
}
