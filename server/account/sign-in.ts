/** `POST /api/auth/login|logout`: outside of what a signed-in person calls; and who is signed in. */
import { bodyLimit } from 'hono/body-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import * as v from 'valibot';
import { nobodysPassword, passwordMatches } from '#server/platform/auth/password.ts';
import { actorOf, issueToken, permissionsOf, revokeToken } from '#server/platform/auth/sign-in.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import { fieldErrors } from '#server/platform/calls/read.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { handle, type Services } from '#server/school/context.ts';
import { describeMe } from './me.ts';
import { signInMessages, signInWait } from './rules.ts';
import { Credentials, loginPath, logoutPath, type SignedIn, showMe } from './sign-in.contract.ts';

/** Failures that one name may have from one address within the window (seconds). */
const failures = { points: 10, duration: 600 };
/**
 * Failures of one address over all names within the same time: a school of some hundred people behind one address stays
 * far below it, and nobody tries a list of names from there.
 */
const addressFailures = { points: 100, duration: failures.duration };
export const signInCalls = [handle(showMe, ({ actor, settings }) => describeMe(actor, settings))];

export function mountSignIn(api: ApiRouter, services: Services): void {
  const limiter = new RateLimiterMemory({ keyPrefix: 'sign-in', ...failures });
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
    const key = `${username.toLowerCase()} ${address}`;
    const { db } = services.database;
    // Counted before the password is looked at, so that guesses sent all at once are counted too.
    const overAll = await addresses.consume(address).then(() => undefined, waiting);
    // Whoever has signed in from there before is not kept out by what others of their school, or a guesser among them,
    // got wrong: their own ten tries hold.
    if (overAll && !(await hasSignedInFrom(db, username.toLowerCase(), address))) return refusalResponse(overAll);
    const refused = await limiter.consume(key).then(() => undefined, waiting);
    if (refused) return refusalResponse(refused);

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
    if (!person || !matches || person.disabled_at !== null) {
      return refusalResponse(new Refusal('signed-out', signInMessages.wrong));
    }
    await limiter.delete(key);
    await addresses.reward(address);
    const token = await issueToken(db, person.id, {
      device: context.req.header('user-agent') ?? '',
      address,
      now: services.now(),
    });
    const signedIn: SignedIn = { token, identity: person.identity, permissions: permissionsOf(person) };
    return envelopeResponse(success(signedIn, '登录成功'));
  });

  api.post(logoutPath, async (context) => {
    const actor = await actorOf(services.database.db, context.req.header('authorization'), services.now());
    if (!actor) return refusalResponse(new Refusal('signed-out', callMessages.signedOut));
    await revokeToken(services.database.db, actor.signInId, services.now());
    return envelopeResponse(success(null, '已退出登录'));
  });
}

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
  const seconds = Math.max(1, Math.ceil((limit.msBeforeNext ?? failures.duration * 1000) / 1000));
  return new Refusal('too-many', signInWait(seconds), { retryAfter: seconds });
}
