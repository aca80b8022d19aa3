/**
 * What the school's administrator does with people: permissions are granted here and nowhere on the screens. Every
 * change leaves a history row without an actor, for nobody is signed in.
 */

import type { Identity } from '#server/platform/auth/rules.ts';
import { endSignIns } from '#server/platform/auth/sign-in.ts';
import { type Database, isUniqueViolation } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import type { Permission } from '#server/school/call.ts';
import { schoolNamed } from '#server/school/schools.ts';

export type Permissions = Record<Permission, boolean>;

export interface StaffMember {
  id: number;
  username: string;
  identity: Identity;
  name: string;
  school: string;
  permissions: Permissions;
  isDisabled: boolean;
}

const permissionsOf = (row: { can_dispatch: Flag; can_correct: Flag }): Permissions => ({
  dispatch: row.can_dispatch === 1,
  correct: row.can_correct === 1,
});
const flag = (is: boolean): Flag => (is ? 1 : 0);

/** Everybody, by user name. */
export async function listStaff(db: Database): Promise<StaffMember[]> {
  const rows = await staffRows(db).orderBy('staff.username').execute();
  return rows.map(memberOf);
}

export async function findStaff(db: Database, username: string): Promise<StaffMember | undefined> {
  const row = await staffRows(db).where('staff.username', '=', username).executeTakeFirst();
  return row && memberOf(row);
}

const staffRows = (db: Database) =>
  db
    .selectFrom('staff')
    .innerJoin('school', 'school.id', 'staff.school_id')
    .select([
      'staff.id',
      'staff.username',
      'staff.identity',
      'staff.real_name as name',
      'school.org_name as school',
      'staff.can_dispatch',
      'staff.can_correct',
      'staff.disabled_at',
    ]);

type StaffRow = Awaited<ReturnType<ReturnType<typeof staffRows>['executeTakeFirstOrThrow']>>;

function memberOf({ can_dispatch, can_correct, disabled_at, ...row }: StaffRow): StaffMember {
  return { ...row, permissions: permissionsOf({ can_dispatch, can_correct }), isDisabled: disabled_at !== null };
}

/** The schools, those of the lowest id first. */
export const listSchools = (db: Database) => db.selectFrom('school').select(['id', 'org_name']).orderBy('id').execute();

export interface NewStaff {
  identity: Identity;
  username: string;
  name: string;
  /** Of a school that is there, or of a new one. */
  school: string;
  permissions: Permissions;
  passwordHash: string;
}

/** The person's id, or `taken` where someone has that user name. */
export async function addStaff(db: Database, person: NewStaff, now: number): Promise<number | 'taken'> {
  try {
    return await db.transaction().execute(async (trx) => {
      const { id } = await trx
        .insertInto('staff')
        .values({
          identity: person.identity,
          username: person.username,
          password_hash: person.passwordHash,
          real_name: person.name,
          school_id: await schoolNamed(trx, person.school),
          can_dispatch: flag(person.permissions.dispatch),
          can_correct: flag(person.permissions.correct),
          disabled_at: null,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await note(trx, id, 'add', null, person.permissions, now);
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  }
}

/** Sets the password and ends every sign-in of the person; answers how many that were. */
export async function setPassword(db: Database, staffId: number, passwordHash: string, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await trx.updateTable('staff').set({ password_hash: passwordHash }).where('id', '=', staffId).execute();
    await note(trx, staffId, 'password', null, null, now);
    return endSignIns(trx, staffId, now);
  });
}

/** Answers the permissions as they were before. */
export async function setPermissions(
  db: Database,
  staffId: number,
  { action, permissions, now }: { action: 'grant' | 'revoke'; permissions: Permission[]; now: number },
): Promise<Permissions> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('staff')
      .select(['can_dispatch', 'can_correct'])
      .where('id', '=', staffId)
      .executeTakeFirstOrThrow();
    const before = permissionsOf(row);
    const after = { ...before };
    for (const permission of permissions) after[permission] = action === 'grant';
    if (after.dispatch === before.dispatch && after.correct === before.correct) return before;
    await trx
      .updateTable('staff')
      .set({ can_dispatch: flag(after.dispatch), can_correct: flag(after.correct) })
      .where('id', '=', staffId)
      .execute();
    await note(trx, staffId, action, before, after, now);
    return before;
  });
}

/** Someone who is disabled cannot sign in and is signed out everywhere. */
export async function setDisabled(db: Database, staffId: number, isDisabled: boolean, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('staff')
      .set({ disabled_at: isDisabled ? now : null })
      .where('id', '=', staffId)
      .execute();
    if (isDisabled) await endSignIns(trx, staffId, now);
    await note(trx, staffId, isDisabled ? 'disable' : 'enable', null, null, now);
  });
}

const note = (db: Database, staffId: number, action: string, before: unknown, after: unknown, now: number) =>
  recordHistory(db, { actor: null, now, record: 'staff', recordId: staffId, action, before, after });
