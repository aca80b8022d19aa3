/** Where a person is signed in. */
import { type Actor, idleLimit, revokeToken } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Device } from './contract.ts';
import { missingDevice, signOutFault } from './rules.ts';

/** Sign-ins that have neither been ended nor gone unused for too long. */
const open = (db: Database, actor: Actor, now: number) =>
  db
    .selectFrom('sign_in')
    .where('staff_id', '=', actor.id)
    .where('revoked_at', 'is', null)
    .where('used_at', '>=', now - idleLimit);

export async function devicesOf(db: Database, actor: Actor, now: number): Promise<Device[]> {
  const rows = await open(db, actor, now)
    .select(['id', 'device', 'address', 'created_at', 'used_at'])
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows
    .map((row) => ({ ...row, is_current: row.id === actor.signInId ? (1 as const) : (0 as const) }))
    .sort((a, b) => b.is_current - a.is_current);
}

export async function endDevice(db: Database, actor: Actor, id: number, now: number): Promise<null | Refusal> {
  const refusal = refuseFor('conflict', signOutFault({ is_current: id === actor.signInId }));
  if (refusal) return refusal;
  const found = await open(db, actor, now).select('id').where('id', '=', id).executeTakeFirst();
  if (!found) return missing(missingDevice);
  await revokeToken(db, id, now);
  return null;
}
