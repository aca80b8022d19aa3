/** Guards that each permission stays grantable: some administrator of all schools has it and manages people. */
import type { Permission } from '#server/platform/auth/rules.ts';
import { permissionColumns } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';

/**
 * Returns the permissions that nobody could grant again if this administrator of all schools kept only `kept`. If they
 * manage people, another holder must manage people too.
 */
export async function unrecoverablePermissions(
  db: Database,
  member: { id: number; permissions: readonly Permission[] },
  kept: readonly Permission[],
): Promise<Permission[]> {
  const managed = member.permissions.includes('people');
  // Without `people` an administrator can grant nothing.
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
