/**
 * Sign-ins (sessions with a bearer token) of staff: revocable, and they expire after 12 hours without use by default.
 * `actorOf` checks the session token of each call.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Identity, type Permission, permissions, type SecondFactorRule } from '#server/platform/auth/rules.ts';
import { withDeadline } from '#server/platform/db/deadline.ts';
import { type Database, isDatabaseAway } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Flag } from '#server/platform/db/schema.ts';

/** The signed-in user, with what the rules need to know about them. */
export interface Actor {
  id: number;
  identity: Identity;
  name: string;
  schoolId: number;
  permissions: readonly Permission[];
  /**
   * True for an administrator of all schools, including future ones. Other administrators have the schools in
   * `staff_school`.
   */
  everySchool: boolean;
  /** True for a user with a temporary password, who must choose a new one first. */
  mustChangePassword: boolean;
  /** True if the password was right but the code of the second factor is missing. */
  awaitsCode: boolean;
  /** True for a user who must set up a second factor first. */
  mustSetSecondFactor: boolean;
  /** Id of this sign-in (device). */
  signInId: number;
}

/** Sign-in settings of a school. */
export interface SignInPolicy {
  /** Hours without use until a token expires. */
  sign_in_hours: number;
  second_factor: SecondFactorRule;
}

/** The user whose visible records a query selects. */
export type Person = Pick<Actor, 'id' | 'identity'>;

/**
 * A user in queries: `id` is a value, or a placeholder of a prepared statement; the identity is a variant of the
 * statement.
 */
export interface Viewer {
  readonly id: Operand<number>;
  readonly identity: Identity;
}

/** Seconds without use until a token expires. */
export const idleLimit = ({ sign_in_hours }: Pick<SignInPolicy, 'sign_in_hours'>): number => sign_in_hours * 60 * 60;
/** Minimum seconds between two updates of a sign-in's last use, so that not every request writes. */
const lastUseInterval = 60;

/** Columns of `staff` that hold the permissions: `can_dispatch`, `can_correct` … */
export const permissionColumns = permissions.map((permission) => `can_${permission}` as const);

/** Permissions of a row, in the order of `permissions`. */
export const permissionsOf = (row: Record<(typeof permissionColumns)[number], Flag>): Permission[] =>
  permissions.filter((permission) => row[`can_${permission}`] === 1);

/** The database has only the hash of a token, so nobody who reads the table can use it to sign in. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

const signedIn = prepared((db, { hash }: Placeholders<{ hash: string }>) =>
  db
    .selectFrom('sign_in')
    .innerJoin('staff', 'staff.id', 'sign_in.staff_id')
    .select([
      'sign_in.id as signInId',
      'sign_in.used_at',
      'sign_in.revoked_at',
      'sign_in.awaits_code',
      'sign_in.without_code',
      'sign_in.provider',
      'staff.id',
      'staff.identity',
      'staff.real_name',
      'staff.school_id',
      'staff.every_school',
      'staff.must_change_password',
      'staff.totp_at',
      'staff.disabled_at',
      ...permissionColumns,
    ])
    .where('sign_in.token_hash', '=', hash),
);

/**
 * Returns the user of an `Authorization: Bearer …` header; undefined if the token is not valid. Cookies are not read.
 */
export async function actorOf(
  db: Database,
  authorization: string | undefined,
  now: number,
  policy: SignInPolicy,
): Promise<Actor | undefined> {
  const token = /^Bearer\s+([\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (!token) return undefined;
  const [row] = await signedIn(db, { hash: hashOf(token) });
  if (!row || row.revoked_at !== null || row.disabled_at !== null) return undefined;
  if (now - row.used_at > (row.awaits_code === 1 ? codeLimit : idleLimit(policy))) return undefined;
  if (now - row.used_at >= lastUseInterval) {
    await noteUse(db, row.signInId, now);
  }
  return {
    id: row.id,
    identity: row.identity,
    name: row.real_name,
    schoolId: row.school_id,
    permissions: permissionsOf(row),
    everySchool: row.every_school === 1,
    // A user who signed in by an identity provider has no password to change.
    mustChangePassword: row.must_change_password === 1 && row.provider === '',
    awaitsCode: row.awaits_code === 1,
    mustSetSecondFactor: row.without_code === 0 && row.totp_at === null && requiresSecondFactor(policy, row.identity),
    signInId: row.signInId,
  };
}

export const requiresSecondFactor = (
  { second_factor }: Pick<SignInPolicy, 'second_factor'>,
  identity: Identity,
): boolean => second_factor === 'all' || second_factor === identity;

/** Seconds within which the code must be entered after the password. */
const codeLimit = 10 * 60;

/** Updates the last use. A failure (read-only database, lock held) must not fail the request. */
async function noteUse(db: Database, signInId: number, now: number): Promise<void> {
  if (noting.has(signInId)) return;
  noting.add(signInId);
  const note = () => db.updateTable('sign_in').set({ used_at: now }).where('id', '=', signInId).execute();
  const noted = withDeadline(lastUseTimeout, note)
    .catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    })
    .finally(() => noting.delete(signInId));
  await Promise.race([noted, pause(noteDelay, undefined, { ref: false })]);
}

/** Milliseconds that updating the last use may take. */
const lastUseTimeout = 2_000;
/** Milliseconds that a request waits for that update. */
const noteDelay = 100;
const noting = new Set<number>();

interface NewSignIn {
  device: string;
  address: string;
  awaitsCode?: boolean;
  now: number;
  /**
   * Present if an identity provider signed the person in. `withoutCode`: our own second factor is then not asked for.
   */
  by?: { provider: string; withoutCode: boolean };
}

/** Signs a person in; returns the token. The database keeps only its hash. */
export const issueToken = async (db: Database, staffId: number, given: NewSignIn): Promise<string> =>
  (await issueSignIn(db, staffId, given)).token;

/** Does what `issueToken` does, and also returns the id of the sign-in. */
export async function issueSignIn(
  db: Database,
  staffId: number,
  { device, address, awaitsCode = false, now, by }: NewSignIn,
): Promise<{ id: number; token: string }> {
  const token = randomBytes(32).toString('base64url');
  const { id } = await db
    .insertInto('sign_in')
    .values({
      token_hash: hashOf(token),
      staff_id: staffId,
      device: device.slice(0, 300),
      address,
      awaits_code: awaitsCode ? 1 : 0,
      without_code: by?.withoutCode ? 1 : 0,
      provider: by?.provider ?? '',
      created_at: now,
      used_at: now,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Records that the second factor was passed; from then on the token has full access. */
export const confirmSecondFactor = (db: Database, signInId: number) =>
  db
    .updateTable('sign_in')
    .set({ awaits_code: 0 })
    .where('id', '=', signInId)
    .returning(['device', 'address'])
    .executeTakeFirstOrThrow();

export async function revokeToken(db: Database, signInId: number, now: number): Promise<void> {
  await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('id', '=', signInId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends all sign-ins of the person except the current one; returns how many. */
export async function endOtherSignIns(
  db: Database,
  { id, signInId }: Pick<Actor, 'id' | 'signInId'>,
  { now, idle }: { now: number; idle: number },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('staff_id', '=', id)
    .where('id', '!=', signInId)
    .where('revoked_at', 'is', null)
    .where('used_at', '>=', now - idle)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Ends those sign-ins with these ids that began no later than `begunBefore` (unix seconds). Returns the ids of staff
 * whose sign-in was still open.
 */
export async function endSignInsById(
  db: Database,
  ids: readonly number[],
  { now, begunBefore }: { now: number; begunBefore: number },
): Promise<number[]> {
  const ended = await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('id', 'in', inIds(db, ids))
    .where('created_at', '<=', begunBefore)
    .where('revoked_at', 'is', null)
    .returning('staff_id')
    .execute();
  return ended.map(({ staff_id }) => staff_id);
}

/** Signs a person out everywhere; returns how many sign-ins ended. */
export async function endSignIns(db: Database, staffId: number, now: number): Promise<number> {
  const ended = await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/** Signs several people out everywhere. */
export async function endSignInsOfStaff(db: Database, staffIds: readonly number[], now: number): Promise<void> {
  await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('staff_id', 'in', inIds(db, staffIds))
    .where('revoked_at', 'is', null)
    .execute();
}

/** Purges at most `most` sign-ins unused since `unusedSince` (unix seconds); returns how many. */
export async function purgeSignIns(
  db: Database,
  { unusedSince, most }: { unusedSince: number; most: number },
): Promise<number> {
  const old = db.selectFrom('sign_in').select('id').where('used_at', '<', unusedSince).orderBy('used_at').limit(most);
  const { numDeletedRows } = await db.deleteFrom('sign_in').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
