import { passwordMatches } from '#server/platform/auth/password.ts';
import { type Actor, endOtherSignIns } from '#server/platform/auth/sign-in.ts';
import { conflict, type FieldErrors, invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { PasswordForm } from './contract.ts';
import { passwordFault } from './rules.ts';

/** What can be told without knowing the present password. */
export function passwordFormErrors({
  old_password,
  new_password,
  new_password_confirmation,
}: PasswordForm): FieldErrors {
  const errors: FieldErrors = {};
  if (old_password === '') errors.old_password = ['请输入旧密码'];
  else if (old_password.length < 6) errors.old_password = ['密码长度为6到16位'];
  const fault = new_password === '' ? '请输入新密码' : passwordFault(new_password);
  if (fault) errors.new_password = [fault];
  if (new_password_confirmation !== new_password) errors.new_password_confirmation = ['两次输入的密码不一致'];
  return errors;
}

/**
 * Whether the old password is the present one. It is asked to have 6 to 16 characters, but a new one may have 18:
 * whoever chose one of 17 must be able to change it, so the length is held against a wrong one only.
 */
export async function refuseOldPassword(stored: string, old_password: string): Promise<Refusal | undefined> {
  // Nothing longer was ever accepted, and hashing it would be work for nothing.
  const matches = old_password.length <= 200 && (await passwordMatches(old_password, stored));
  if (matches) return undefined;
  return invalid({ old_password: [old_password.length > 16 ? '密码长度为6到16位' : '旧密码不正确'] });
}

/** Sets the password, unless it has been changed since it was looked at; the person's other sign-ins end. */
export async function replacePassword(
  db: Database,
  actor: Actor,
  { before, after, now }: { before: string; after: string; now: number },
): Promise<null | Refusal> {
  const { numUpdatedRows } = await db
    .updateTable('staff')
    .set({ password_hash: after })
    .where('id', '=', actor.id)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return conflict('密码已被修改，请重新登录');
  await endOtherSignIns(db, actor, now);
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
