/** Signing in and out, and the current user. */
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { identityMessages } from '#server/identity/rules.ts';
import { countAttempt, type Limit, resetAttempts, undoAttempt } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { dummyPasswordHash, passwordMatches } from '#server/platform/auth/password.ts';
import { actorOf, issueToken, permissionsOf, revokeToken } from '#server/platform/auth/sign-in.ts';
import type { ApiRouter } from '#server/platform/calls/answer.ts';
import { clientAddressHeader } from '#server/platform/calls/client-address.ts';
import { envelopeResponse, refusalResponse, success } from '#server/platform/calls/envelope.ts';
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import { fieldErrors } from '#server/platform/calls/read.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { handle, type Services } from '#server/school/context.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { describeMe } from './current-account.ts';
import { plainUsername, secondFactorMessages, signInMessages, signInWait } from './rules.ts';
import { Credentials, loginPath, logoutPath, type SignedIn, showMe } from './sign-in.contract.ts';

/** Seconds in which failed sign-ins are counted. */
const window = 600;
/**
 * Maximum failures per IP address over all user names: plenty for a school of some hundred people behind one address,
 * too few to try a list of names.
 */
const ofAddress: Limit = { kind: 'sign-in-address', max: 100, window };
/** Maximum failures per user name and IP address; the number is a setting of the school. */
const nameLimit = (tries: number): Limit => ({ kind: 'sign-in', max: tries, window });

export const signInCalls = [handle(showMe, ({ actor, settings }) => describeMe(actor, settings))];

export function mountSignIn(api: ApiRouter, services: Services): void {
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
    const name = plainUsername(username);
    const key = `${name} ${address}`;
    const { db } = services.database;
    const failed = (refusal: Refusal, reason: 'wrong' | 'too many', identity = 'unknown') => {
      logFailedSignIn(services.log, { requestId: context.get('requestId'), address, identity, reason });
      return refusalResponse(refusal);
    };
    const policy = await schoolPolicy(db, services.now());
    const tries = policy.sign_in_tries;
    // The attempt is counted before the password is checked, so that parallel guesses count too.
    const wait = await db.transaction().execute(async (trx) => {
      const overAll = await countAttempt(trx, ofAddress, address, services.now());
      // Somebody who signed in from this address before is exempt from its limit, so that failures of others do not
      // lock them out; the limit of their user name still holds.
      if (overAll !== undefined && !(await hasSignedInFrom(trx, name, address))) return overAll;
      return countAttempt(trx, nameLimit(tries), key, services.now());
    });
    if (wait !== undefined) return failed(new Refusal('too-many', signInWait(wait), { retryAfter: wait }), 'too many');

    const person = await db
      .selectFrom('staff')
      .selectAll()
      .where('username', 'in', [name, username.toLowerCase()])
      // Old rows may have capitals; a row with the lower-case name wins.
      .orderBy((eb) => eb.case().when('username', '=', username.toLowerCase()).then(0).else(1).end())
      .executeTakeFirst();
    const matches = await passwordMatches(password, person?.password_hash ?? (await dummyPasswordHash())).catch(
      async (error) => {
        // Checking the password threw an error, so this attempt must not count as a wrong one.
        await undoAttempt(db, nameLimit(tries), key);
        await undoAttempt(db, ofAddress, address);
        throw error;
      },
    );
    // While passwords are turned off, the message must not reveal whose password still works.
    const wrong = policy.password_sign_in === 'all' ? signInMessages.wrong : identityMessages.passwordsOff;
    const isLeft = policy.password_sign_in === 'all' || String(person?.id) === policy.emergency_staff;
    if (!person || !matches || person.disabled_at !== null || !isLeft) {
      if (person) await noteSignIn(db, services.now(), person.id, { action: 'sign-in-failed', device, address });
      return failed(new Refusal('signed-out', wrong), 'wrong', person?.identity);
    }
    const awaitsCode = person.totp_at !== null;
    const token = await db.transaction().execute(async (trx) => {
      const present = trx
        .selectFrom('staff')
        .select('id')
        .where('id', '=', person.id)
        .where('password_hash', '=', person.password_hash)
        .where('disabled_at', 'is', null);
      // Keeps the person's row locked: a simultaneous password reset waits for this transaction and then ends this
      // sign-in too.
      if (!(await forUpdate(trx)(present).executeTakeFirst())) return undefined;
      await resetAttempts(trx, nameLimit(tries), key);
      const issued = await issueToken(trx, person.id, { device, address, awaitsCode, now: services.now() });
      // While the code of the second factor is missing, this is no sign-in yet.
      if (!awaitsCode) await noteSignIn(trx, services.now(), person.id, { action: 'signed_in', device, address });
      // This row is updated last, because all sign-ins from the school's address contend for it.
      await undoAttempt(trx, ofAddress, address);
      return issued;
    });
    if (token === undefined) return failed(new Refusal('signed-out', wrong), 'wrong', person.identity);
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

/** Writes a history row about a sign-in. It has no actor: a failed attempt proves nobody's identity. */
const noteSignIn = (
  db: Database,
  now: number,
  id: number,
  { action, device, address }: { action: 'signed_in' | 'sign-in-failed'; device: string; address: string },
): Promise<void> =>
  recordHistory(db, {
    actor: action === 'signed_in' ? { id } : null,
    now,
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
