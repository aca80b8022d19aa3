/** A learner's own password: its state, and changing it. */

import type { PasswordForm } from '#server/account/contract.ts';
import { checkOldPassword, passwordFormErrors } from '#server/account/password.ts';
import { accountMessages, samePasswordFault } from '#server/account/rules.ts';
import { countAttempt, type Limit, resetAttempts } from '#server/platform/auth/attempts.ts';
import { hashPassword, passwordMatches } from '#server/platform/auth/password.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { conflict, invalid, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { PasswordState } from './rules.ts';
import { endLearnerSessionsOf } from './sessions.ts';

/** Rate limit of wrong old passwords per learner. */
const guesses: Limit = { kind: 'learner-old-password', max: 10, window: 600 };

interface Asking {
  db: Database;
  learner: { sessionId: number; studentId: number; mustChangePassword: boolean };
  /** Unix seconds. */
  now: number;
}

const storedPassword = (db: Database, studentId: number) =>
  db
    .selectFrom('learner_password')
    .select(['password_hash', 'is_first'])
    .where('student_id', '=', studentId)
    .executeTakeFirst();

/** Returns the state of the password. `asks_old` 1: the learner must enter the present password to change it. */
export async function ownPassword({ db, learner }: Omit<Asking, 'now'>): Promise<{
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
 * changed meanwhile.
 */
export async function changeOwnPassword(
  { db, learner, now }: Asking,
  body: PasswordForm,
): Promise<TransactionWork<null | Refusal> | Refusal> {
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
  return new TransactionWork(async (trx) => {
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
    await trx.updateTable('learner_session').set({ must_change_password: 0 }).where('id', '=', sessionId).execute();
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
