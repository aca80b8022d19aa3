import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { type Answer, noon, type TestSchool } from './school.ts';

export interface BoundAdmin {
  school: number;
  id: number;
  ask(method: string, path: string, body?: object): Promise<Answer>;
}

export type AdminPermissions = Partial<Record<`can_${'people' | 'teaching' | 'exams' | 'settings' | 'audit'}`, Flag>>;

export async function addBoundAdmin(own: TestSchool, permissions: AdminPermissions): Promise<BoundAdmin> {
  const { db } = own.database;
  const { id: school } = await db
    .insertInto('school')
    .values({ org_name: '分校' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { school, ...(await addAdmin(own, { school_id: school, ...permissions })) };
}

/** Creates an administrator bound to the school `school_id`. Default: the test school. */
export async function addAdmin(
  own: TestSchool,
  { school_id, ...permissions }: AdminPermissions & { school_id: number },
): Promise<Omit<BoundAdmin, 'school'>> {
  const { db } = own.database;
  const { id } = await db
    .insertInto('staff')
    .values({
      identity: 'admin',
      username: `admin-of-${school_id}-${Object.keys(permissions).join('-')}`,
      password_hash: 'none',
      real_name: '分校教务',
      school_id,
      disabled_at: null,
      created_at: noon,
      ...permissions,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('staff_school').values({ staff_id: id, school_id }).execute();
  const token = await issueToken(db, id, { device: '', address: '', now: noon });
  return {
    id,
    ask: (method, path, body) =>
      own.ask(`/api/admin/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
        },
        ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      }),
  };
}
