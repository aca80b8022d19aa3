/** Signs in through an identity provider by API calls alone, without a browser. */
import { createHash, randomBytes } from 'node:crypto';
import type { ProviderKind } from '#server/identity/rules.ts';
import { storeSetting } from '#server/school/settings.ts';
import type { Answer, TestSchool } from './school.ts';

export const site = 'http://127.0.0.1:9';

/** Creates a browser key in the format of the screens. */
export const newBrowser = (): string => randomBytes(32).toString('base64url');

/** Stores the settings of a provider as an administrator would, but without contacting the provider. */
export async function setProvider(
  school: TestSchool,
  kind: ProviderKind,
  fields: Record<string, string | number>,
): Promise<Answer> {
  await storeSetting(school.database.db, 'site_address', site);
  const { body } = await school.as('admin').get('identity');
  const found = body.data.providers.find((one: { kind: string }) => one.kind === kind);
  return school.as('admin').put(`identity/providers/${kind}`, {
    name: found.name,
    is_on: 1,
    asks_code: 0,
    seen: found.seen,
    // The test providers send this claim, and users cannot change it there.
    ...(kind === 'oidc' && { claim: 'preferred_username' }),
    ...fields,
  });
}

const jsonPost = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Chrome/109.0 Windows NT' },
  body: JSON.stringify(body),
});

export const begin = (school: TestSchool, provider: ProviderKind, browser: string, return_to = '/homework') =>
  school.ask('/api/auth/identity/begin', jsonPost({ provider, browser, return_to }));

export const complete = (school: TestSchool, provider: ProviderKind, browser: string, sent: string) =>
  school.ask('/api/auth/identity/complete', jsonPost({ provider, browser, sent }));

/** Begins a sign-in. Returns the address of the provider to which the browser is redirected. */
export async function providerAddress(
  school: TestSchool,
  provider: ProviderKind,
  browser: string,
  to?: string,
): Promise<URL> {
  const { status, body } = await begin(school, provider, browser, to);
  if (status !== 200) throw new Error(`not begun: ${status} ${body.msg}`);
  return new URL(body.data.address);
}

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Creates a staff member with this user name. */
export async function addStaff(
  school: TestSchool,
  username: string,
  more: {
    identity?: 'teacher' | 'assist' | 'admin';
    disabled_at?: number;
    totp_at?: number;
    totp_secret?: string;
  } = {},
): Promise<number> {
  const { db } = school.database;
  const { id: school_id } = await db.selectFrom('school').select('id').executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('staff')
    .values({
      username,
      real_name: `${username}老师`,
      password_hash: '',
      must_change_password: 1,
      school_id,
      identity: 'teacher',
      disabled_at: null,
      created_at: 0,
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const outcomeOf = ({ status, body }: Answer) => [status, body.msg];
