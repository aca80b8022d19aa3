/** Who is asking: bearer tokens that can be revoked and end after 12 hours without use. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Identity, type Permission, permissions } from '#server/platform/auth/rules.ts';
import { type Database, isDatabaseAway } from '#server/platform/db/engine.ts';
import { briefly } from '#server/platform/db/patience.ts';
import type { Flag } from '#server/platform/db/schema.ts';

/** The signed-in person, as every rule sees them. */
export interface Actor {
  id: number;
  identity: Identity;
  name: string;
  schoolId: number;
  permissions: readonly Permission[];
  /** An administrator of all schools, also of those to come; others look after those that are named (`staff_school`). */
  everySchool: boolean;
  /** They signed in with a password that was given to them, and have to choose their own first. */
  mustChangePassword: boolean;
  /** The signed-in device. */
  signInId: number;
}

/** Seconds without use after which a token ends. */
export const idleLimit = 12 * 60 * 60;
/** Seconds between two notes of use: a read must not cost a write every time. */
const noteEvery = 60;

/** The columns that say what somebody may do. */
export const permissionColumns = permissions.map((permission) => `can_${permission}` as const);

/** In the order in which they are declared. */
export const permissionsOf = (row: Record<(typeof permissionColumns)[number], Flag>): Permission[] =>
  permissions.filter((permission) => row[`can_${permission}`] === 1);

/** Only the hash is stored: whoever reads the table cannot sign in with it. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** The person behind an `Authorization: Bearer …` header, or undefined. No cookie is ever read here. */
export async function actorOf(
  db: Database,
  authorization: string | undefined,
  now: number,
): Promise<Actor | undefined> {
  const token = /^Bearer\s+([\w-]{20,100})$/i.exec(authorization ?? '')?.[1];
  if (!token) return undefined;
  const row = await db
    .selectFrom('sign_in')
    .innerJoin('staff', 'staff.id', 'sign_in.staff_id')
    .select([
      'sign_in.id as signInId',
      'sign_in.used_at',
      'sign_in.revoked_at',
      'staff.id',
      'staff.identity',
      'staff.real_name',
      'staff.school_id',
      'staff.every_school',
      'staff.must_change_password',
      'staff.disabled_at',
      ...permissionColumns,
    ])
    .where('sign_in.token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!row || row.revoked_at !== null || row.disabled_at !== null || now - row.used_at > idleLimit) return undefined;
  if (now - row.used_at >= noteEvery) {
    await noteUse(db, row.signInId, now);
  }
  return {
    id: row.id,
    identity: row.identity,
    name: row.real_name,
    schoolId: row.school_id,
    permissions: permissionsOf(row),
    everySchool: row.every_school === 1,
    mustChangePassword: row.must_change_password === 1,
    signInId: row.signInId,
  };
}

/** A note that cannot be made now (the database only reads, or somebody else keeps it locked) stops nobody from reading. */
async function noteUse(db: Database, signInId: number, now: number): Promise<void> {
  if (noting.has(signInId)) return;
  noting.add(signInId);
  const note = () => db.updateTable('sign_in').set({ used_at: now }).where('id', '=', signInId).execute();
  const noted = briefly(notePatience, note)
    .catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    })
    .finally(() => noting.delete(signInId));
  await Promise.race([noted, pause(noteDelay, undefined, { ref: false })]);
}
/** Milliseconds for which the note is tried, and for which the request waits for it. */
const notePatience = 2_000;
const noteDelay = 100;
const noting = new Set<number>();

/** A new token for a person; it is shown once, here. */
export async function issueToken(
  db: Database,
  staffId: number,
  { device, address, now }: { device: string; address: string; now: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('sign_in')
    .values({
      token_hash: hashOf(token),
      staff_id: staffId,
      device: device.slice(0, 300),
      address,
      created_at: now,
      used_at: now,
      revoked_at: null,
    })
    .execute();
  return token;
}

export async function revokeToken(db: Database, signInId: number, now: number): Promise<void> {
  await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('id', '=', signInId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends every sign-in of the person but the present one; answers how many that were. */
export async function endOtherSignIns(
  db: Database,
  { id, signInId }: Pick<Actor, 'id' | 'signInId'>,
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('staff_id', '=', id)
    .where('id', '!=', signInId)
    .where('revoked_at', 'is', null)
    .where('used_at', '>=', now - idleLimit)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Signs a person out everywhere; answers how many sign-ins that were. */
export async function endSignIns(db: Database, staffId: number, now: number): Promise<number> {
  const ended = await db
    .updateTable('sign_in')
    .set({ revoked_at: now })
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}
