import { endOtherSignIns, idleLimit, revokeToken } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { Device } from './contract.ts';
import { missingDevice, signOutFault } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'policy'>;

/** The user's sign-ins that are still valid: neither signed out nor idle for too long. */
const open = ({ db, actor, now, policy }: RequestContext) =>
  db
    .selectFrom('sign_in')
    .where('staff_id', '=', actor.id)
    .where('revoked_at', 'is', null)
    .where('awaits_code', '=', 0)
    .where('used_at', '>=', now - idleLimit(policy));

export async function activeSignIns(context: RequestContext): Promise<Device[]> {
  const rows = await open(context)
    .select(['id', 'device', 'address', 'created_at', 'used_at'])
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows
    .map((row) => ({ ...row, is_current: row.id === context.actor.signInId ? (1 as const) : (0 as const) }))
    .sort((a, b) => b.is_current - a.is_current);
}

/** Signs out one of the user's devices. 404: no such sign-in. 409: it is the current device. */
export async function endSignIn(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const refusal = refuseFor('conflict', signOutFault({ is_current: id === actor.signInId }));
  if (refusal) return refusal;
  const found = await open(context).select('id').where('id', '=', id).executeTakeFirst();
  if (!found) return missing(missingDevice);
  await revokeToken(db, id, now);
  await noteEnded(context, 1);
  return null;
}

/** Signs out all of the user's devices except the current one; returns their number. */
export async function endOtherDevices(context: RequestContext): Promise<{ count: number }> {
  const { db, actor, now, policy } = context;
  const count = await endOtherSignIns(db, actor, { now, idle: idleLimit(policy) });
  if (count > 0) await noteEnded(context, count);
  return { count };
}

const noteEnded = ({ db, actor, now }: RequestContext, count: number) =>
  recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: actor.id,
    action: 'sign-out',
    before: null,
    after: { ended_sign_ins: count },
  });
