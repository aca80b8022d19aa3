/** Sign-in by an identity provider, sign-out, and notifications from providers. */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { secondFactorMessages } from '#server/account/rules.ts';
import { countAttempt, type Limit } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { actorOf, issueSignIn, permissionsOf, revokeToken } from '#server/platform/auth/sign-in.ts';
import type { ApiRouter, RequestVariables } from '#server/platform/calls/answer.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { TypedText } from '#server/platform/calls/fields.ts';
import { conflict, isRefusal, missing, Refusal } from '#server/platform/calls/outcome.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { inTransaction } from '#server/platform/calls/transaction.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { Services } from '#server/school/context.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { hashTicket, parseLogoutRequest } from './cas.ts';
import { endLearnerProviderSessions } from './learner-links.ts';
import { endProviderSessions, matchingStaff } from './links.ts';
import { linkOwnIdentity } from './own-identities.ts';
import { protocols } from './protocols.ts';
import {
  type KnownProvider,
  knownProviders,
  ProviderError,
  type ProviderPerson,
  realmOf,
  refuseProviderError,
  requirePerson,
} from './provider.ts';
import {
  addressRateLimit,
  cancelledMessage,
  clockTolerance,
  identityMessages,
  isProviderKind,
  linkedMessage,
  maxReturnSeconds,
  missingProvider,
  noStaffNumberMessage,
  notMemberMessage,
  providerAwayMessage,
  providerSetupMessage,
  unconfirmedIdentityMessage,
} from './rules.ts';
import { returnUrlOf } from './settings.ts';
import {
  backChannelPath,
  beginSignInPath,
  type CompletedSignIn,
  casServicePath,
  completeSignInPath,
  returnPath,
  type SignInMethods,
  type SignInRedirect,
  type SignOutRedirect,
  signInMethodsPath,
  signOutPath,
} from './sign-in.contract.ts';
import { hashOf, isBrowserKey, isOwnPath, newKey } from './sign-in-keys.ts';

const Begin = v.object({ provider: TypedText, return_to: TypedText, browser: TypedText, link: TypedText });
const Complete = v.object({ provider: TypedText, browser: TypedText, sent: TypedText });

const sentences: Record<ProviderError['why'], (name: string) => string> = {
  away: providerAwayMessage,
  refused: unconfirmedIdentityMessage,
  cancelled: cancelledMessage,
  setup: providerSetupMessage,
  number: noStaffNumberMessage,
  outsider: notMemberMessage,
};

const begun: Limit = { kind: 'identity', ...addressRateLimit };

export function mountIdentity(api: ApiRouter, services: Services): void {
  const { log } = services;
  const { db } = services.database;
  const small = bodyLimit({
    maxSize: 64 * 1024,
    onError: () => refusalResponse(new Refusal('too-large', callMessages.tooLarge)),
  });

  /** Returns the user of the request's token; undefined if nobody is fully signed in. */
  const signedInBy = async (context: HttpContext) => {
    const now = services.now();
    const actor = await actorOf(db, context.req.header('authorization'), now, await schoolPolicy(db, now));
    return actor?.awaitsCode || actor?.mustSetSecondFactor ? undefined : actor;
  };

  const siteNow = async () => (await schoolPolicy(db, services.now())).site_address;

  /** Returns an enabled provider. 404: no such kind. 409: not enabled. */
  const providerOf = async (kind: string): Promise<KnownProvider | Refusal> => {
    if (!isProviderKind(kind)) return missing(missingProvider);
    const provider = (await knownProviders(db)).find((one) => one.kind === kind);
    return provider?.isOn ? provider : conflict(identityMessages.off);
  };

  /** Returns a provider that ends sessions of staff or learners; undefined if it is not in use. */
  const providerInUse = async (kind: string): Promise<KnownProvider | undefined> =>
    (await knownProviders(db)).find((one) => one.kind === kind && (one.isOn || one.forLearners));

  const logAndRefuse = (error: unknown, provider: KnownProvider, return_to = '/'): Refusal =>
    refuseProviderError(log, error, provider, { messages: sentences, return_to });

  api.get(signInMethodsPath, async () => {
    const policy = await schoolPolicy(db, services.now());
    const ways: SignInMethods = {
      providers: (await knownProviders(db)).filter(({ isOn }) => isOn).map(({ kind, name }) => ({ kind, name })),
      passwords: policy.password_sign_in,
      site: policy.site_address,
    };
    return envelopeResponse(success(ways));
  });

  api.post(beginSignInPath, small, async (context) => {
    const { provider: kind, return_to, browser, link } = await read(context, Begin);
    const from = context.req.header(clientAddressHeader) ?? '';
    const wait = await countAttempt(db, begun, from, services.now());
    if (wait !== undefined)
      return refusalResponse(new Refusal('too-many', identityMessages.tooMany, { retryAfter: wait }));
    const provider = await providerOf(kind);
    if (isRefusal(provider)) return refusalResponse(provider);
    const actor = link === '' ? undefined : await signedInBy(context);
    if (link !== '' && !actor) return refusalResponse(new Refusal('signed-out', callMessages.signedOut));
    const site = await siteNow();
    if (!isBrowserKey(browser)) return refusalResponse(conflict(identityMessages.expired));
    const [state, nonce, verifier] = [newKey(), newKey(), newKey()];
    const back = returnUrlOf(provider.kind, site);
    const device = context.req.header('user-agent') ?? '';
    try {
      if (site === '') throw new ProviderError('setup', 'no address of the product');
      const address = await protocols[provider.kind].begin(provider, { state, nonce, verifier, back, device });
      const now = services.now();
      await db
        .deleteFrom('identity_attempt')
        .where('created_at', '<', now - maxReturnSeconds)
        .execute();
      await db
        .insertInto('identity_attempt')
        .values({
          state_hash: hashOf(state),
          provider: provider.kind,
          browser_hash: hashOf(browser),
          nonce,
          verifier,
          return_to: isOwnPath(return_to) ? return_to : '/',
          created_at: now,
          staff_id: actor?.id ?? null,
        })
        .execute();
      const begun: SignInRedirect = { address };
      return envelopeResponse(success(begun));
    } catch (error) {
      return refusalResponse(logAndRefuse(error, provider, return_to));
    }
  });

  api.post(completeSignInPath, small, async (context) => {
    const { provider: kind, browser, sent } = await read(context, Complete);
    const parameters = new URLSearchParams(sent);
    const state = parameters.get('state') ?? '';
    // A sign-in can be completed only once: its row is deleted here, so that a repeated or stolen return URL is
    // worthless.
    const [attempt] = await db
      .deleteFrom('identity_attempt')
      .where('state_hash', '=', hashOf(state))
      .where('provider', '=', kind)
      .where('browser_hash', '=', hashOf(browser))
      .returning(['nonce', 'verifier', 'return_to', 'created_at', 'staff_id'])
      .execute();
    if (!attempt || services.now() - attempt.created_at > maxReturnSeconds) {
      return refusalResponse(conflict(identityMessages.expired, { return_to: attempt?.return_to ?? '/' }));
    }
    const { nonce, verifier, return_to, staff_id } = attempt;
    const linking = staff_id === null ? undefined : { is_linking: 1, return_to };
    // The user who links an account must still be the one who began linking.
    if (linking && (await signedInBy(context))?.id !== staff_id)
      return refusalResponse(conflict(identityMessages.expired, linking));
    const provider = await providerOf(kind);
    if (isRefusal(provider)) return refusalResponse(provider);
    let completed: (CompletedSignIn & { msg: string }) | Refusal;
    try {
      const back = returnUrlOf(provider.kind, await siteNow());
      const way = { state, nonce, verifier, back, sent: parameters };
      const person = await protocols[provider.kind].complete(provider, way);
      requirePerson(person);
      if (staff_id !== null) {
        const given = { person, staffId: staff_id, now: services.now() };
        const refusal = await inTransaction(db, (trx) => linkOwnIdentity(trx, provider, given));
        if (refusal) return refusalResponse(new Refusal(refusal.kind, refusal.msg, { data: linking }));
        return envelopeResponse(success(linking, linkedMessage(provider.name)));
      }
      const device = context.req.header('user-agent') ?? '';
      const address = context.req.header(clientAddressHeader) ?? '';
      completed = await admit(provider, { person, return_to, device, address });
    } catch (error) {
      completed = logAndRefuse(error, provider, return_to);
    }
    if (isRefusal(completed) && linking) {
      return refusalResponse(new Refusal(completed.kind, completed.msg, { data: linking }));
    }
    if (isRefusal(completed)) {
      const failed = { requestId: context.get('requestId'), address: context.req.header(clientAddressHeader) ?? '' };
      if (completed.kind === 'forbidden') {
        logFailedSignIn(log, { ...failed, identity: 'unknown', reason: 'provider' });
      }
      return refusalResponse(completed);
    }
    const { msg, ...signedIn } = completed;
    return envelopeResponse(success(signedIn, msg));
  });

  /** Signs in the person linked to the account. Without a link, a request for an administrator is stored. */
  const admit = (
    provider: KnownProvider,
    given: { person: ProviderPerson; return_to: string; device: string; address: string },
  ): Promise<(CompletedSignIn & { msg: string }) | Refusal> =>
    db.transaction().execute(async (trx) => {
      const now = services.now();
      const { person, return_to, device, address } = given;
      const id = await matchingStaff(trx, provider, { person, now });
      if (isRefusal(id)) return new Refusal(id.kind, id.msg, { data: { return_to } });
      const staff = await trx.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const isRefused = staff.disabled_at !== null;
      const awaitsCode = staff.totp_at !== null && provider.asksCode;
      if (isRefused || !awaitsCode) {
        await recordHistory(trx, {
          actor: isRefused ? null : { id },
          now,
          record: 'staff',
          recordId: id,
          action: isRefused ? 'sign-in-failed' : 'signed_in',
          before: null,
          after: { address, device: device.slice(0, 300), provider: provider.kind },
        });
      }
      if (isRefused) return new Refusal('forbidden', identityMessages.disabled, { data: { return_to } });
      const by = { provider: provider.kind, withoutCode: !provider.asksCode };
      const signIn = await issueSignIn(trx, id, { device, address, awaitsCode, now, by });
      await trx
        .insertInto('identity_session')
        .values({
          sign_in_id: signIn.id,
          provider: provider.kind,
          realm: realmOf(provider),
          subject: person.subject,
          session_key: person.session ?? '',
          id_token: person.idToken ?? '',
        })
        .execute();
      const { identity } = staff;
      return {
        token: signIn.token,
        identity,
        permissions: permissionsOf(staff),
        awaits_code: awaitsCode ? 1 : 0,
        return_to,
        msg: awaitsCode ? secondFactorMessages.noCode : '登录成功',
      };
    });

  api.post(signOutPath, async (context) => {
    const now = services.now();
    const actor = await actorOf(db, context.req.header('authorization'), now, await schoolPolicy(db, now));
    if (!actor) return refusalResponse(new Refusal('signed-out', callMessages.signedOut));
    await revokeToken(db, actor.signInId, now);
    const left: SignOutRedirect = { onwards: (await onwardsOf(db, actor.signInId, `${await siteNow()}/login`)) ?? '' };
    return envelopeResponse(success(left, '已退出登录'));
  });

  /**
   * Returns the provider's logout URL; failures are ignored, because our own sign-out must not depend on the provider.
   */
  const onwardsOf = async (db: Database, signInId: number, after: string): Promise<string | undefined> => {
    const [session] = await db
      .deleteFrom('identity_session')
      .where('sign_in_id', '=', signInId)
      .returning(['provider', 'realm', 'id_token'])
      .execute();
    if (!session) return undefined;
    const provider = await providerOf(session.provider);
    if (isRefusal(provider) || realmOf(provider) !== session.realm) return undefined;
    try {
      return await protocols[provider.kind].leave?.(provider, { idToken: session.id_token, after });
    } catch (error) {
      logAndRefuse(error, provider);
      return undefined;
    }
  };

  // CAS knows only one URL of ours, so it serves both the return and logout notifications.
  api.get(casServicePath, (context) => {
    const { search } = new URL(context.req.url);
    return new Response(null, {
      status: 302,
      headers: { location: `${returnPath('cas')}${search}`, 'cache-control': 'no-store' },
    });
  });
  api.post(casServicePath, small, async (context) => {
    const ticket = parseLogoutRequest((await formOf(context)).get('logoutRequest') ?? '');
    const provider = await providerInUse('cas');
    if (ticket && provider) {
      const session = hashTicket(ticket);
      await endFromAfar(provider, { provider: 'cas', realm: realmOf(provider), session });
    }
    return new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } });
  });

  api.post(backChannelPath, small, async (context) => {
    const headers = { 'cache-control': 'no-store' };
    const provider = await providerInUse('oidc');
    const token = (await formOf(context)).get('logout_token') ?? '';
    const ended = !provider || token === '' ? undefined : await signedOutOf(provider, token);
    if (!provider || !ended) return Response.json({ error: 'invalid_request' }, { status: 400, headers });
    const { subject, session, at } = ended;
    const by = { provider: 'oidc' as const, realm: realmOf(provider), ...(session ? { session } : { subject }) };
    // Sign-ins that began after the notification are kept, so that a replayed token cannot end them.
    await endFromAfar(provider, by, at + clockTolerance);
    return new Response(null, { status: 200, headers });
  });

  const signedOutOf = async (provider: KnownProvider, token: string) => {
    try {
      const { readLogoutToken } = await import('./oidc.ts');
      return await readLogoutToken(provider, token);
    } catch (error) {
      logAndRefuse(error, provider);
      return undefined;
    }
  };

  const endFromAfar = (provider: KnownProvider, by: Parameters<typeof endProviderSessions>[1], begunBefore?: number) =>
    inTransaction(db, async (trx) => {
      const now = services.now();
      const ended = await endProviderSessions(trx, by, now, begunBefore);
      await endLearnerProviderSessions(trx, by, { now, ...(begunBefore !== undefined && { begunBefore }) });
      for (const id of new Set(ended)) {
        await recordHistory(trx, {
          actor: null,
          now,
          record: 'staff',
          recordId: id,
          action: 'sign-out',
          before: { sign_ins: ended.filter((one) => one === id).length },
          after: { sign_ins: 0, provider: provider.kind },
        });
      }
      return null;
    });
}

type HttpContext = Context<RequestVariables>;

/** Parses a JSON body; missing fields become empty. */
async function read<Schema extends v.GenericSchema>(
  context: HttpContext,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const sent: unknown = await context.req.json().catch(() => ({}));
  const parsed = v.safeParse(schema, sent);
  return parsed.success ? parsed.output : v.parse(schema, {});
}

const formOf = async (context: HttpContext) => new URLSearchParams(await context.req.text());
