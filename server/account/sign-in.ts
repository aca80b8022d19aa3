/** `POST /api/auth/login|logout`: outside of what a signed-in person calls; and who is signed in. */
import { bodyLimit } from 'hono/body-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import * as v from 'valibot';
import { identityMessages } from '#server/identity/rules.ts';
import { noteFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { nobodysPassword, passwordMatches } from '#server/platform/auth/password.ts';
import { actorOf, issueToken, permissionsOf, revokeToken } from '#server/platform/auth/sign-in.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import { fieldErrors } from '#server/platform/calls/read.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { handle, type Services } from '#server/school/context.ts';
import { policyLimits } from '#server/school/rules.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { describeMe } from './me.ts';
import { secondFactorMessages, signInMessages, signInWait } from './rules.ts';
import { Credentials, loginPath, logoutPath, type SignedIn, showMe } from './sign-in.contract.ts';

/** Seconds within which failures count. */
const window = 600;
/**
 * Failures of one address over all names within that time: a school of some hundred people behind one address stays
 * far below it, and nobody tries a list of names from there.
 */
const addressFailures = { points: 100, duration: window };
export const signInCalls = [handle(showMe, ({ actor, settings }) => describeMe(actor, settings))];

export function mountSignIn(api: ApiRouter, services: Services): void {
  // How many one name may have from one address is the school's to say.
  const limiter = new RateLimiterMemory({
    keyPrefix: 'sign-in',
    points: policyLimits.sign_in_tries.most,
    duration: window,
  });
  const addresses = new RateLimiterMemory({ keyPrefix: 'sign-in-address', ...addressFailures });
  const small = bodyLimit({
    maxSize: 16 * 1024,
    onError: () => refusalResponse(new Refusal('too-large', callMessages.tooLarge)),
  });

  api.post(loginPath, small, async (context) => {
    const parsed = v.safeParse(Credentials, await context.req.json().catch(() => ({})));
    if (!parsed.success) return refusalResponse(invalid(fieldErrors(parsed.issues)));
    const { username, password } = parsed.output;
    const address = context.req.header(clientAddressHeader) ?? '';
    const device = context.req.header('user-agent') ?? '';
    const key = `${username.toLowerCase()} ${address}`;
    const { db } = services.database;
    const failed = (refusal: Refusal, reason: 'wrong' | 'too many', identity = 'unknown') => {
      noteFailedSignIn(services.log, { requestId: context.get('requestId'), address, identity, reason });
      return refusalResponse(refusal);
    };
    // Counted before the password is looked at, so that guesses sent all at once are counted too.
    const overAll = await addresses.consume(address).then(() => undefined, waiting);
    // Whoever has signed in from there before is not kept out by what others of their school, or a guesser among them,
    // got wrong: their own ten tries hold.
    if (overAll && !(await hasSignedInFrom(db, username.toLowerCase(), address))) return failed(overAll, 'too many');
    const policy = await schoolPolicy(db, services.now());
    const tries = policy.sign_in_tries;
    const refused = await limiter
      .consume(key)
      .then((state) => (state.consumedPoints > tries ? waiting(state) : undefined), waiting);
    if (refused) return failed(refused, 'too many');

    const person = await db
      .selectFrom('staff')
      .selectAll()
      .where('username', '=', username.toLowerCase())
      .executeTakeFirst();
    const matches = await passwordMatches(password, person?.password_hash ?? (await nobodysPassword())).catch(
      async (error) => {
        // Not looked at: no failure.
        await Promise.all([limiter.reward(key), addresses.reward(address)]);
        throw error;
      },
    );
    // Whose password is left is not told by the answer.
    const wrong = policy.password_sign_in === 'all' ? signInMessages.wrong : identityMessages.passwordsOff;
    const isLeft = policy.password_sign_in === 'all' || String(person?.id) === policy.emergency_staff;
    if (!person || !matches || person.disabled_at !== null || !isLeft) {
      if (person) await noteSignIn(services, person.id, { action: 'sign-in-failed', device, address });
      return failed(new Refusal('signed-out', wrong), 'wrong', person?.identity);
    }
    await limiter.delete(key);
    await addresses.reward(address);
    const awaitsCode = person.totp_at !== null;
    const token = await issueToken(db, person.id, { device, address, awaitsCode, now: services.now() });
    // Who still has to give a code has not signed in yet.
    if (!awaitsCode) await noteSignIn(services, person.id, { action: 'signed_in', device, address });
    const { identity } = person;
    const signedIn: SignedIn = { token, identity, permissions: permissionsOf(person), awaits_code: awaitsCode ? 1 : 0 };
    return envelopeResponse(success(signedIn, awaitsCode ? secondFactorMessages.noCode : '登录成功'));
  });

  api.post(logoutPath, async (context) => {
    const { db } = services.database;
    const policy = await schoolPolicy(db, services.now());
    const actor = await actorOf(db, context.req.header('authorization'), services.now(), policy);
    if (!actor) return refusalResponse(new Refusal('signed-out', callMessages.signedOut));
    await revokeToken(db, actor.signInId, services.now());
    return envelopeResponse(success(null, '已退出登录'));
  });
}

/** Whoever tries a password that is not theirs is nobody who is signed in. */
const noteSignIn = (
  { database, now }: Services,
  id: number,
  { action, device, address }: { action: 'signed_in' | 'sign-in-failed'; device: string; address: string },
): Promise<void> =>
  recordHistory(database.db, {
    actor: action === 'signed_in' ? { id } : null,
    now: now(),
    record: 'staff',
    recordId: id,
    action,
    before: null,
    after: { address, device: device.slice(0, 300) },
  });

async function hasSignedInFrom(db: Database, username: string, address: string): Promise<boolean> {
  const found = await db
    .selectFrom('sign_in')
    .innerJoin('staff', 'staff.id', 'sign_in.staff_id')
    .select('sign_in.id')
    .where('staff.username', '=', username)
    .where('sign_in.address', '=', address)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** How long until another try, in the sentence and in Retry-After. */
function waiting(limit: { msBeforeNext?: number }): Refusal {
  const seconds = Math.max(1, Math.ceil((limit.msBeforeNext ?? window * 1000) / 1000));
  return new Refusal('too-many', signInWait(seconds), { retryAfter: seconds });
}
