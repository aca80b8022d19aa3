/** First passwords for staff: generated, shown once, stored as hashes. They must be changed at the first sign-in. */
import { hashPassword } from '#server/platform/auth/password.ts';
import { endSignIns } from '#server/platform/auth/sign-in.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import { generatedPassword } from './generated-password.ts';
import {
  faultIfDisabled,
  firstPasswordFault,
  firstPasswordsLimit,
  missingStaff,
  outrankedFault,
  ownPasswordFault,
  staffMessages,
} from './rules.ts';
import type { GivenPassword, StaffRow } from './staff.contract.ts';
import { lockedMember } from './staff-changes.ts';
import { staffOf, staffRows } from './staff-list.ts';
import { adminStaff } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/**
 * Replaces a person's password by a generated one. 404: no such person. 403: they have more permissions than the user.
 * 409: disabled, or the user themselves.
 */
export async function resetPassword(
  { db, actor, now }: RequestContext,
  id: number,
): Promise<TransactionWork<GivenPassword | Refusal> | Refusal> {
  if ((await membersOf({ db, actor }, [id])).length === 0) return missing(missingStaff);
  const password = generatedPassword();
  const hash = await hashPassword(password);
  return new TransactionWork(async (trx) => {
    const member = await lockedMember({ db: trx, actor }, id);
    if (isRefusal(member)) return member;
    const refusal =
      refuseFor('conflict', ownPasswordFault(id === actor.id)) ?? refuseFor('conflict', faultIfDisabled(member));
    if (refusal) return refusal;
    await setFirstPassword(trx, { member, hash, actor, now });
    return passwordSlip(member, password);
  });
}

/**
 * Generates passwords for staff without one of their own. 422: nobody chosen, or too many. 404: one is not visible.
 * 409: one has a password of their own.
 */
export async function setFirstPasswords(
  { db, actor, now }: RequestContext,
  ids: readonly number[],
): Promise<TransactionWork<GivenPassword[] | Refusal> | Refusal> {
  if (ids.length === 0) return invalid({ ids: [staffMessages.nobodyChosen] });
  if (ids.length > firstPasswordsLimit) return invalid({ ids: [staffMessages.tooManyChosen] });
  const refusal = refusalOf(await membersOf({ db, actor }, ids), ids, actor.permissions);
  if (refusal) return refusal;
  const passwords: { password: string; hash: string }[] = [];
  // Hashes one password at a time, to leave CPU for the sign-ins of others.
  for (const _ of ids) {
    const password = generatedPassword();
    passwords.push({ password, hash: await hashPassword(password) });
  }
  return new TransactionWork(async (trx) => {
    for (const id of [...ids].sort((a, b) => a - b)) {
      const member = await lockedMember({ db: trx, actor }, id);
      if (isRefusal(member)) return member;
    }
    const members = await membersOf({ db: trx, actor }, ids);
    const late = refusalOf(members, ids, actor.permissions);
    if (late) return late;
    const results: GivenPassword[] = [];
    for (const [place, member] of members.entries()) {
      const { password, hash } = passwords[place] as (typeof passwords)[number];
      await setFirstPassword(trx, { member, hash, actor, now });
      results.push(passwordSlip(member, password));
    }
    return results;
  });
}

/** Loads staff in the order of `ids`. */
async function membersOf(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  ids: readonly number[],
): Promise<StaffRow[]> {
  const rows = await staffRows(adminStaff(db, actor).where('staff.id', 'in', [...ids])).execute();
  const members = await staffOf(db, rows);
  return ids.flatMap((id) => members.find((member) => member.id === id) ?? []);
}

function refusalOf(
  members: readonly StaffRow[],
  ids: readonly number[],
  own: Parameters<typeof outrankedFault>[1],
): Refusal | undefined {
  if (members.length < ids.length) return missing(missingStaff);
  for (const member of members) {
    const outranked = refuseFor('forbidden', outrankedFault(member, own));
    if (outranked) return outranked;
    const fault = firstPasswordFault(member);
    if (fault) return conflict(`${member.real_name}：${fault}`);
  }
  return undefined;
}

async function setFirstPassword(
  db: Database,
  { member, hash, actor, now }: { member: StaffRow; hash: string; actor: { id: number }; now: number },
): Promise<void> {
  const change = { password_hash: hash, must_change_password: 1 as const };
  await db.updateTable('staff').set(change).where('id', '=', member.id).execute();
  await endSignIns(db, member.id, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: member.id,
    action: 'password',
    before: { must_change_password: member.is_new },
    after: { must_change_password: 1 },
  });
}

const passwordSlip = ({ id, real_name, username }: StaffRow, password: string): GivenPassword => ({
  id,
  real_name,
  username,
  password,
});
