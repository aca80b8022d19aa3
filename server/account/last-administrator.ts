/** Keeps somebody who can grant each permission: an administrator of all schools who has it and manages people. */
import type { Permission } from '#server/platform/auth/rules.ts';
import { permissionColumns } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/**
 * What nobody could do or grant any more once an administrator of all schools has `kept` of their permissions. Whoever
 * managed people could grant theirs, so somebody else has to; of others it is enough that another has the permission.
 */
export async function lostForGood(
  db: Database,
  member: { id: number; permissions: readonly Permission[] },
  kept: readonly Permission[],
): Promise<Permission[]> {
  const managed = member.permissions.includes('people');
  // Whoever no longer manages people grants nothing.
  const left = managed && !kept.includes('people') ? [] : kept;
  const lost = member.permissions.filter((permission) => !left.includes(permission));
  if (lost.length === 0) return [];
  const others = await db
    .selectFrom('staff')
    .select(permissionColumns)
    .where('identity', '=', 'admin')
    .where('every_school', '=', 1)
    .$if(managed, (query) => query.where('can_people', '=', 1))
    .where('disabled_at', 'is', null)
    .where('id', '!=', member.id)
    .execute();
  return lost.filter((permission) => !others.some((other) => other[`can_${permission}`] === 1));
}
