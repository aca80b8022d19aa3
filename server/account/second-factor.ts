/** Second factor (TOTP): sets it up, checks codes, renews recovery codes and removes it. */
import { countAttempt, type Limit, resetAttempts } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import {
  isSecret,
  newRecoveryCodes,
  newSecret,
  otpauthUri,
  recoveryHash,
  stepOf,
} from '#server/platform/auth/second-factor.ts';
import {
  type Actor,
  confirmSecondFactor,
  endOtherSignIns,
  endSignIns,
  idleLimit,
  requiresSecondFactor,
} from '#server/platform/auth/sign-in.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { conflict, invalid, isRefusal, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { RuleContext } from '#server/school/context.ts';
import { codeFault, secondFactorMessages } from './rules.ts';
import type { Enrolment, SecondFactor } from './second-factor.contract.ts';
import { lockedMember } from './staff-changes.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'policy'>;
type ConfirmationContext = RuleContext<'actor' | 'now' | 'log'>;

/** Rate limit of wrong codes per person (window in seconds). Guessing one of a million codes would take years. */
const guesses: Limit = { kind: 'code', max: 10, window: 600 };

/**
 * Runs `work`, which checks a code, in a transaction and under a rate limit. Each attempt is counted before the check,
 * so that parallel guesses count too; a right code resets the count. 429: too many attempts.
 */
export async function withCodeAttempt<Answer>(
  context: RequestContext,
  work: (asked: RequestContext) => Promise<Answer | Refusal>,
): Promise<TransactionWork<Answer | Refusal> | Refusal> {
  const key = String(context.actor.id);
  if ((await countAttempt(context.db, guesses, key, context.now)) !== undefined)
    return new Refusal('too-many', secondFactorMessages.tooMany, { retryAfter: guesses.window });
  return new TransactionWork(async (db: Database) => {
    const answer = await work({ ...context, db });
    if (!isRefusal(answer)) await resetAttempts(db, guesses, key);
    return answer;
  });
}

const storedFactor = (db: Database, id: number) =>
  forUpdate(db)(
    db
      .selectFrom('staff')
      .select(['username', 'totp_secret', 'totp_step', 'totp_at', 'recovery_codes'])
      .where('id', '=', id),
  ).executeTakeFirstOrThrow();

export async function ownSecondFactor({ db, actor, policy }: RequestContext): Promise<SecondFactor> {
  const { totp_at, recovery_codes } = await db
    .selectFrom('staff')
    .select(['totp_at', 'recovery_codes'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return {
    is_on: totp_at === null ? 0 : 1,
    is_required: requiresSecondFactor(policy, actor.identity) ? 1 : 0,
    at: totp_at,
    recovery_left: (JSON.parse(recovery_codes) as string[]).length,
  };
}

/** Generates a secret for the authenticator app. 409: the second factor is already on. */
export async function beginEnrolment({
  db,
  actor,
  settings,
}: RuleContext<'actor' | 'settings'>): Promise<Enrolment | Refusal> {
  const { username, totp_at } = await db
    .selectFrom('staff')
    .select(['username', 'totp_at'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow();
  if (totp_at !== null) return conflict(secondFactorMessages.isOn);
  const secret = newSecret();
  // A colon separates issuer and label in the URL.
  const issuer = (settings.school_name || '教学后台').replaceAll(':', ' ');
  return { secret, address: otpauthUri(secret, { issuer, label: username.replaceAll(':', ' ') }) };
}

/** Turns the second factor on if the code fits the secret. 409: already on. 422: wrong code. */
export async function turnOnSecondFactor(
  { db, actor, now, policy }: RequestContext,
  { secret, code }: { secret: string; code: string },
): Promise<{ recovery_codes: string[] } | Refusal> {
  const { totp_at } = await storedFactor(db, actor.id);
  if (totp_at !== null) return conflict(secondFactorMessages.isOn);
  if (!isSecret(secret)) return invalid({ code: [secondFactorMessages.noSecret] });
  const typed = digitsOf(code);
  const step = stepOf(secret, typed, now);
  const fault = codeFault(typed) ?? (step === undefined ? secondFactorMessages.wrong : undefined);
  if (fault !== undefined || step === undefined) return invalid({ code: [fault ?? secondFactorMessages.wrong] });
  const codes = newRecoveryCodes();
  const set = { totp_secret: secret, totp_step: step, totp_at: now, recovery_codes: hashesOf(codes) };
  await db.updateTable('staff').set(set).where('id', '=', actor.id).execute();
  await endOtherSignIns(db, actor, { now, idle: idleLimit(policy) });
  await note(db, { actor, id: actor.id, now, action: 'second-factor-on' });
  return { recovery_codes: codes };
}

/** Accepts an authenticator code or a recovery code, each only once. 422: wrong or already used. */
async function spendCode(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { code, now }: { code: string; now: number },
): Promise<Refusal | 'code' | 'recovery'> {
  const { totp_secret, totp_step, recovery_codes } = await storedFactor(db, actor.id);
  const typed = digitsOf(code);
  const step = totp_secret && /^\d{6}$/.test(typed) ? stepOf(totp_secret, typed, now) : undefined;
  if (step !== undefined && step > totp_step) {
    await db.updateTable('staff').set({ totp_step: step }).where('id', '=', actor.id).execute();
    return 'code';
  }
  if (step !== undefined) return invalid({ code: [secondFactorMessages.used] });
  const hashes = JSON.parse(recovery_codes) as string[];
  const hash = recoveryHash(code);
  if (!hashes.includes(hash)) {
    const wrong = typed.length > 8 ? secondFactorMessages.wrongRecovery : secondFactorMessages.wrong;
    return invalid({ code: [typed === '' ? secondFactorMessages.noCode : wrong] });
  }
  await db
    .updateTable('staff')
    .set({ recovery_codes: JSON.stringify(hashes.filter((one) => one !== hash)) })
    .where('id', '=', actor.id)
    .execute();
  await note(db, { actor, id: actor.id, now, action: 'recovery-code' });
  return 'recovery';
}

/** Completes a sign-in after the password. 409: no code expected. 422: wrong code. */
export async function completeSignIn(
  { db, actor, now, log }: ConfirmationContext,
  code: string,
): Promise<null | Refusal> {
  if (!actor.awaitsCode) return conflict(secondFactorMessages.notAwaited);
  const used = await spendCode(db, actor, { code, now });
  if (isRefusal(used)) {
    logFailedSignIn(log, { identity: actor.identity, reason: 'wrong code' });
    return used;
  }
  const { device, address } = await confirmSecondFactor(db, actor.signInId);
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: actor.id,
    action: 'signed_in',
    before: null,
    after: { device, address },
  });
  return null;
}

/** Turns the user's second factor off. 409: already off, or required by policy. 422: wrong code. */
export async function turnOffSecondFactor(
  { db, actor, now, policy }: RequestContext,
  code: string,
): Promise<null | Refusal> {
  const { totp_at } = await storedFactor(db, actor.id);
  if (totp_at === null) return conflict(secondFactorMessages.isOff);
  if (requiresSecondFactor(policy, actor.identity)) return conflict(secondFactorMessages.required);
  const used = await spendCode(db, actor, { code, now });
  if (isRefusal(used)) return used;
  await clearSecondFactor(db, actor.id);
  await note(db, { actor, id: actor.id, now, action: 'second-factor-off' });
  return null;
}

/** Replaces the user's recovery codes. 409: the second factor is off. 422: wrong code. */
export async function renewRecoveryCodesOf(
  { db, actor, now }: RequestContext,
  code: string,
): Promise<{ recovery_codes: string[] } | Refusal> {
  const { totp_at } = await storedFactor(db, actor.id);
  if (totp_at === null) return conflict(secondFactorMessages.isOff);
  const used = await spendCode(db, actor, { code, now });
  if (isRefusal(used)) return used;
  const codes = newRecoveryCodes();
  await db
    .updateTable('staff')
    .set({ recovery_codes: hashesOf(codes) })
    .where('id', '=', actor.id)
    .execute();
  await note(db, { actor, id: actor.id, now, action: 'recovery-codes' });
  return { recovery_codes: codes };
}

/**
 * Turns off another person's second factor. 404: no such person. 403: they have more permissions than the user. 409: it
 * is off.
 */
export async function resetSecondFactorOf(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const member = await lockedMember(context, id);
  if (isRefusal(member)) return member;
  const { totp_at } = await storedFactor(db, id);
  if (totp_at === null) return conflict(secondFactorMessages.isOff);
  await removeSecondFactor(db, id, { actor, now });
  return null;
}

/** Removes the second factor and signs the person out everywhere. `actor`: null on the command line. */
export async function removeSecondFactor(
  db: Database,
  id: number,
  { actor, now }: { actor: { id: number } | null; now: number },
): Promise<void> {
  await clearSecondFactor(db, id);
  await endSignIns(db, id, now);
  await note(db, { actor, id, now, action: 'second-factor-reset' });
}

const clearSecondFactor = (db: Database, id: number) =>
  db
    .updateTable('staff')
    .set({ totp_secret: '', totp_step: 0, totp_at: null, recovery_codes: '[]' })
    .where('id', '=', id)
    .execute();

const note = (
  db: Database,
  { actor, id, now, action }: { actor: { id: number } | null; id: number; now: number; action: string },
) => recordHistory(db, { actor, now, record: 'staff', recordId: id, action, before: null, after: null });

const hashesOf = (codes: readonly string[]) => JSON.stringify(codes.map(recoveryHash));

/** Removes spaces from a typed code and makes full-width digits (from Chinese input methods) half-width. */
const digitsOf = (code: string) => code.normalize('NFKC').replaceAll(/\s/g, '');
