/** A learner's own password: its state, and changing it. */

import type { PasswordForm } from '#server/account/contract.ts';
import { checkOldPassword, passwordFormErrors } from '#server/account/password.ts';
import { accountMessages, samePasswordFault } from '#server/account/rules.ts';
import { countAttempt, type Limit, resetAttempts } from '#server/platform/auth/attempts.ts';
import { hashPassword, passwordMatches } from '#server/platform/auth/password.ts';
import { conflict, invalid, isRefusal, Refusal } from '#server/platform/calls/outcome.ts';
import { inTransaction } from '#server/platform/calls/transaction.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { PasswordState } from './rules.ts';
import { endLearnerSessionsOf } from './sessions.ts';

/** Rate limit of wrong old passwords per learner. */
const guesses: Limit = { kind: 'learner-old-password', max: 10, window: 600 };

/** Seconds in which the same form sent again gets the answer of the first. */
const repeatWindow = 60;

interface PasswordContext {
  db: Database;
  learner: { sessionId: number; studentId: number; mustChangePassword: boolean };
  /** Unix seconds. */
  now: number;
}

const storedPassword = (db: Database, studentId: number) =>
  db
    .selectFrom('learner_password')
    .select(['password_hash', 'is_first', 'set_at'])
    .where('student_id', '=', studentId)
    .executeTakeFirst();

/** Returns the state of the password. `asks_old` 1: the learner must enter the present password to change it. */
export async function ownPassword({ db, learner }: Omit<PasswordContext, 'now'>): Promise<{
  must_change_password: 0 | 1;
  asks_old: 0 | 1;
}> {
  const stored = await storedPassword(db, learner.studentId);
  return {
    must_change_password: learner.mustChangePassword ? 1 : 0,
    asks_old: stored && !learner.mustChangePassword ? 1 : 0,
  };
}

/**
 * Changes the learner's password. 422: errors by field. 429: too many wrong old passwords. 409: the password was
 * changed, or the session ended, meanwhile. The same form sent again succeeds.
 */
export async function changeOwnPassword(asking: PasswordContext, body: PasswordForm): Promise<null | Refusal> {
  const outcome = await replacePassword(asking, body);
  return isRefusal(outcome) && (await isRepeated(asking, body)) ? null : outcome;
}

/** True if this session set this very password just now: a form without a script is easily sent twice. */
async function isRepeated({ db, learner, now }: PasswordContext, body: PasswordForm): Promise<boolean> {
  const { new_password, new_password_confirmation, old_password } = body;
  if (new_password === '' || new_password !== new_password_confirmation || new_password === old_password) return false;
  const stored = await storedPassword(db, learner.studentId);
  if (!stored || stored.is_first === 1 || now - stored.set_at > repeatWindow) return false;
  // Setting a password ends all other sessions, so one that is older than the password has set it.
  const session = await db
    .selectFrom('learner_session')
    .select('id')
    .where('id', '=', learner.sessionId)
    .where('created_at', '<=', stored.set_at)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  if (!session || (await countAttempt(db, guesses, String(learner.studentId), now)) !== undefined) return false;
  return passwordMatches(new_password, stored.password_hash);
}

async function replacePassword({ db, learner, now }: PasswordContext, body: PasswordForm): Promise<null | Refusal> {
  const { studentId, sessionId, mustChangePassword } = learner;
  const stored = await storedPassword(db, studentId);
  const { old_password: oldFault, ...errors } = passwordFormErrors(body, { mustChangePassword });
  const asksOld = stored !== undefined && !mustChangePassword;
  if (asksOld && oldFault) errors.old_password = oldFault;
  if (Object.keys(errors).length > 0) return invalid(errors);
  if (asksOld) {
    // Counts the attempt before checking it, so that parallel guesses count too.
    if ((await countAttempt(db, guesses, String(studentId), now)) !== undefined)
      return new Refusal('too-many', accountMessages.tooManyOldPasswords, { retryAfter: guesses.window });
    const refusal = await checkOldPassword(stored.password_hash, body.old_password);
    if (refusal) return refusal;
    await resetAttempts(db, guesses, String(studentId));
  } else if (stored && (await passwordMatches(body.new_password, stored.password_hash))) {
    return invalid({
      new_password: [samePasswordFault(body.new_password, body.new_password, mustChangePassword) ?? ''],
    });
  }
  const password_hash = await hashPassword(body.new_password);
  return inTransaction(db, async (trx) => {
    const written = { password_hash, is_first: 0 as const, set_at: now };
    const replaced = stored
      ? await trx
          .updateTable('learner_password')
          .set(written)
          .where('student_id', '=', studentId)
          .where('password_hash', '=', stored.password_hash)
          .returning('student_id')
          .execute()
      : await trx
          .insertInto('learner_password')
          .values({ student_id: studentId, ...written })
          .onConflict((known) => known.column('student_id').doNothing())
          .returning('student_id')
          .execute();
    if (replaced.length === 0) return conflict(accountMessages.passwordChanged);
    const session = await trx
      .updateTable('learner_session')
      .set({ must_change_password: 0 })
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!session) return conflict(accountMessages.passwordChanged);
    await endLearnerSessionsOf(trx, [studentId], { now, except: sessionId });
    const before: PasswordState = stored ? (stored.is_first === 1 ? 'first' : 'own') : 'none';
    await recordHistory(trx, {
      actor: null,
      now,
      record: 'student',
      recordId: studentId,
      action: 'password',
      before: { login_password: before },
      after: { login_password: 'own' satisfies PasswordState },
    });
    return null;
  });
}
