/** Sign-in of learners by an identity provider: begins it, completes it once, and signs out at the provider too. */
import { type ApplicationContext, learnerOf } from '#server/learners/application.ts';
import { deviceHashOf } from '#server/learners/password-sign-in.ts';
import { endLearnerSession, openLearnerSessionWithin } from '#server/learners/sessions.ts';
import { countAttempt, type Limit, undoAttempt } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { conflict, isRefusal, missing, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { matchingLearner } from './learner-links.ts';
import { protocols } from './protocols.ts';
import {
  asLearnersUse,
  type KnownProvider,
  knownProviders,
  ProviderError,
  type ProviderPerson,
  realmOf,
  refuseProviderError,
  requirePerson,
} from './provider.ts';
import {
  isProviderKind,
  learnerAttempts,
  learnerAttemptsWaitMessage,
  learnerIdentityMessages,
  learnerProviderMessages,
  maxReturnSeconds,
  missingProvider,
} from './rules.ts';
import { returnUrlOf } from './settings.ts';
import { learnerStatePrefix, learnersLeft } from './sign-in.contract.ts';
import { hashOf, isBrowserKey, isOwnPath, newKey } from './sign-in-keys.ts';

type RequestContext = ApplicationContext & { db: Database };

/** Home of the learners' page: where a sign-in leads without a target of its own. */
const learnHome = '/learn';

const { window } = learnerAttempts;
const ofDevice: Limit = { kind: 'learner-identity-device', max: learnerAttempts.ofDevice, window };
const ofAddress: Limit = { kind: 'learner-identity-address', max: learnerAttempts.ofAddress, window };

interface LearnerDevice {
  /** Random identifier that the application keeps in the learner's browser; '' if it keeps none. */
  device: string;
  /** Network address of the learner's browser; '' if the application does not send it. */
  address: string;
}

const countsOf = ({ device, address }: LearnerDevice): [Limit, string][] => [
  ...(device === '' ? [] : [[ofDevice, device] satisfies [Limit, string]]),
  ...(address === '' ? [] : [[ofAddress, address] satisfies [Limit, string]]),
];

/** Returns a provider for learners. 404: no such kind. 409: not for learners. */
async function providerOf(db: Database, kind: string): Promise<KnownProvider | Refusal> {
  if (!isProviderKind(kind)) return missing(missingProvider);
  const provider = (await knownProviders(db)).find((one) => one.kind === kind);
  return provider?.forLearners ? provider : conflict(learnerIdentityMessages.off);
}

const refusalOf = ({ log }: RequestContext, error: unknown, provider: KnownProvider, return_to: string): Refusal =>
  refuseProviderError(log, error, provider, { messages: learnerProviderMessages, return_to });

/**
 * Begins a sign-in; returns the URL to send the browser to. 404: no such kind of provider. 409: not for learners, or no
 * valid key of the browser. 429: too many were begun and not finished. 503: the provider does not answer.
 */
export async function beginLearnerSignIn(
  context: RequestContext,
  asked: LearnerDevice & { provider: string; browser: string; return_to: string; user_agent: string },
): Promise<{ address: string } | Refusal> {
  const { db, application, now } = context;
  const return_to = isOwnPath(asked.return_to) ? asked.return_to : learnHome;
  for (const [limit, key] of countsOf(asked)) {
    const wait = await countAttempt(db, limit, key, now);
    if (wait !== undefined) return new Refusal('too-many', learnerAttemptsWaitMessage(wait), { retryAfter: wait });
  }
  const provider = await providerOf(db, asked.provider);
  if (isRefusal(provider)) return provider;
  if (!isBrowserKey(asked.browser)) return conflict(learnerIdentityMessages.expired);
  const { site_address: site } = await schoolPolicy(db, now);
  const [state, nonce, verifier] = [learnerStatePrefix + newKey(), newKey(), newKey()];
  try {
    if (site === '') throw new ProviderError('setup', 'no address of the product');
    const back = returnUrlOf(provider.kind, site);
    const way = { state, nonce, verifier, back, device: asked.user_agent };
    const address = await protocols[provider.kind].begin(provider, way);
    await db
      .deleteFrom('learner_link_attempt')
      .where('created_at', '<', now - maxReturnSeconds)
      .execute();
    await db
      .insertInto('learner_link_attempt')
      .values({
        state_hash: hashOf(state),
        provider: provider.kind,
        browser_hash: hashOf(asked.browser),
        token_id: application.id,
        nonce,
        verifier,
        return_to,
        created_at: now,
      })
      .execute();
    return { address };
  } catch (error) {
    return refusalOf(context, error, provider, return_to);
  }
}

/**
 * Completes a sign-in; returns the learner's token. Refusals name the target in `data.return_to`. 409: the sign-in is
 * unknown, used, too old, or of another browser. 403: the provider did not confirm anybody, the account waits for an
 * administrator, or the student is disabled. 404: a student of a school that the application has no access to. 503: the
 * provider does not answer.
 */
export async function completeLearnerSignIn(
  context: RequestContext,
  asked: LearnerDevice & { provider: string; browser: string; sent: string },
): Promise<{ token: string; ends_at: number; return_to: string } | Refusal> {
  const { db, application, now, log } = context;
  const sent = new URLSearchParams(asked.sent);
  const state = sent.get('state') ?? '';
  // The row is deleted first, so that a repeated or stolen return URL is worthless.
  const [attempt] = await db
    .deleteFrom('learner_link_attempt')
    .where('state_hash', '=', hashOf(state))
    .where('provider', '=', asked.provider)
    .where('browser_hash', '=', hashOf(asked.browser))
    .where('token_id', '=', application.id)
    .returning(['nonce', 'verifier', 'return_to', 'created_at'])
    .execute();
  if (!attempt || now - attempt.created_at > maxReturnSeconds)
    return conflict(learnerIdentityMessages.expired, { return_to: attempt?.return_to ?? learnHome });
  const { nonce, verifier, return_to } = attempt;
  const refuse = ({ kind, msg }: Refusal) => new Refusal(kind, msg, { data: { return_to } });
  const provider = await providerOf(db, asked.provider);
  if (isRefusal(provider)) return refuse(provider);
  let opened: { token: string; ends_at: number } | Refusal;
  try {
    const back = returnUrlOf(provider.kind, (await schoolPolicy(db, now)).site_address);
    const person = await protocols[provider.kind].complete(asLearnersUse(provider), {
      state,
      nonce,
      verifier,
      back,
      sent,
    });
    requirePerson(person);
    opened = await admit(context, provider, person, asked.device);
  } catch (error) {
    opened = refusalOf(context, error, provider, return_to);
  }
  if (isRefusal(opened)) {
    if (opened.kind === 'forbidden') logFailedSignIn(log, { identity: 'learner', reason: 'provider' });
    return refuse(opened);
  }
  for (const [limit, key] of countsOf(asked)) await undoAttempt(db, limit, key);
  return { ...opened, return_to };
}

/** Admits the student who is linked to the account. The link stays locked: whoever removes it ends this sign-in, too. */
const admit = (context: RequestContext, provider: KnownProvider, person: ProviderPerson, device: string) =>
  context.db.transaction().execute(async (trx): Promise<{ token: string; ends_at: number } | Refusal> => {
    const { application, now } = context;
    const uid = await matchingLearner(trx, provider, { person, now });
    if (isRefusal(uid)) return uid;
    const studentId = await learnerOf({ application, db: trx }, uid);
    if (isRefusal(studentId)) return studentId;
    const deviceHash = deviceHashOf(device);
    const session = await openLearnerSessionWithin(trx, { application, studentId, deviceHash, now });
    if (isRefusal(session)) return session;
    const { id, token, ends_at } = session;
    await trx
      .insertInto('learner_link_session')
      .values({
        session_id: id,
        provider: provider.kind,
        realm: realmOf(provider),
        subject: person.subject,
        session_key: person.session ?? '',
        id_token: person.idToken ?? '',
      })
      .execute();
    return { token, ends_at };
  });

/** Signs the learner out; returns the provider's logout URL, or '' if the browser need not go there. */
export async function leaveAsLearner(
  context: RequestContext,
  { sessionId }: { sessionId: number },
): Promise<{ onwards: string }> {
  const { db, now } = context;
  await endLearnerSession(db, sessionId, now);
  const [session] = await db
    .deleteFrom('learner_link_session')
    .where('session_id', '=', sessionId)
    .returning(['provider', 'realm', 'id_token'])
    .execute();
  const provider = session && (await providerOf(db, session.provider));
  if (!session || !provider || isRefusal(provider) || realmOf(provider) !== session.realm) return { onwards: '' };
  const { site_address } = await schoolPolicy(db, now);
  try {
    const after = { after: `${site_address}/login`, state: learnersLeft };
    const onwards = await protocols[provider.kind].leave?.(provider, { idToken: session.id_token, ...after });
    return { onwards: onwards ?? '' };
  } catch (error) {
    // Our own sign-out must not depend on the provider.
    refusalOf(context, error, provider, learnHome);
    return { onwards: '' };
  }
}
