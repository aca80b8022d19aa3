/** Creates an administrator bound to a school of their own. */

import type { permissions } from '#server/platform/auth/rules.ts';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { type Answer, noon, type TestSchool } from './school.ts';

let count = 0;

export async function administratorOf(
  school: TestSchool,
  permitted: Partial<Record<`can_${(typeof permissions)[number]}`, Flag>>,
): Promise<{ id: number; schoolId: number; ask(method: string, path: string, body?: object): Promise<Answer> }> {
  const { db } = school.database;
  count += 1;
  const own = await db
    .insertInto('school')
    .values({ org_name: `分校${count}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('staff')
    .values({
      identity: 'admin',
      username: `bound${count}`,
      password_hash: 'none',
      real_name: `分校教务${count}`,
      school_id: own.id,
      disabled_at: null,
      created_at: noon,
      ...permitted,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('staff_school').values({ staff_id: id, school_id: own.id }).execute();
  const token = await issueToken(db, id, { device: '', address: '', now: noon });
  const ask = (method: string, path: string, body?: object) =>
    school.ask(`/api/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  return { id, schoolId: own.id, ask };
}
