/**
 * Guards that every permission can still be granted: some administrator of all schools must have it and `people` too.
 */
import type { Permission } from '#server/platform/auth/rules.ts';
import { permissionColumns } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/**
 * Returns the permissions that nobody could grant any more if this administrator of all schools kept only `kept`.
 * Granting needs the permission itself and `people`.
 */
export async function unrecoverablePermissions(
  db: Database,
  member: { id: number; permissions: readonly Permission[] },
  kept: readonly Permission[],
): Promise<Permission[]> {
  const managed = member.permissions.includes('people');
  // An administrator who loses `people` can grant nothing.
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
