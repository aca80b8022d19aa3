import { passwordMatches } from '#server/platform/auth/password.ts';
import { type Actor, endOtherSignIns, idleLimit, type SignInPolicy } from '#server/platform/auth/sign-in.ts';
import { conflict, invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { PasswordForm } from './contract.ts';
import {
  accountMessages,
  maxHashedLength,
  oldPasswordFault,
  passwordFault,
  samePasswordFault,
  wrongPasswordMessage,
} from './rules.ts';

/** True if the old password is not needed: the person has just signed in with a first one. */
const isUnasked = (old_password: string, { mustChangePassword }: Pick<Actor, 'mustChangePassword'>) =>
  mustChangePassword && old_password === '';

/** Checks the password form as far as that needs no database. */
export function passwordFormErrors(
  { old_password, new_password, new_password_confirmation }: PasswordForm,
  actor: Pick<Actor, 'mustChangePassword'>,
): FieldErrors {
  const errors: FieldErrors = {};
  const oldFault = isUnasked(old_password, actor) ? undefined : oldPasswordFault(old_password);
  if (oldFault) errors.old_password = [oldFault];
  const fault = passwordFault(new_password) ?? samePasswordFault(old_password, new_password, actor.mustChangePassword);
  if (fault) errors.new_password = [fault];
  if (new_password_confirmation !== new_password) errors.new_password_confirmation = [accountMessages.repetition];
  return errors;
}

/** Compares both passwords with the present one. 422: the old one is wrong, or a first one is chosen again. */
export async function comparePasswords(
  stored: string,
  { old_password, new_password }: PasswordForm,
  actor: Pick<Actor, 'mustChangePassword'>,
): Promise<Refusal | undefined> {
  if (!isUnasked(old_password, actor)) return checkOldPassword(stored, old_password);
  const fault = (await passwordMatches(new_password, stored)) && samePasswordFault(new_password, new_password, true);
  return fault ? invalid({ new_password: [fault] }) : undefined;
}

/** Compares the typed old password with the stored hash; undefined if it is right. */
export async function checkOldPassword(stored: string, old_password: string): Promise<Refusal | undefined> {
  const matches = old_password.length <= maxHashedLength && (await passwordMatches(old_password, stored));
  return matches ? undefined : invalid({ old_password: [wrongPasswordMessage(old_password)] });
}

/** Sets the password and signs out the person's other devices. Refuses if the password changed since it was read. */
export async function replacePassword(
  db: Database,
  actor: Actor,
  { before, after, now, policy }: { before: string; after: string; now: number; policy: SignInPolicy },
): Promise<null | Refusal> {
  const { numUpdatedRows } = await db
    .updateTable('staff')
    .set({ password_hash: after, must_change_password: 0 })
    .where('id', '=', actor.id)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return conflict(accountMessages.passwordChanged);
  await endOtherSignIns(db, actor, { now, idle: idleLimit(policy) });
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: actor.id,
    action: 'password',
    before: null,
    after: null,
  });
  return null;
}
