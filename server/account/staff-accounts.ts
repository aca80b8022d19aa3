/** Changes staff from the command line, so the history rows have no actor. The screens use staff-changes.ts. */

import { type Identity, type Permission, permissions, permissionsFor } from '#server/platform/auth/rules.ts';
import { endSignIns, permissionColumns } from '#server/platform/auth/sign-in.ts';
import { type Database, isUniqueViolation } from '#server/platform/db/engine.ts';
import { newRecordIds, recordHistory } from '#server/platform/db/history.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { findOrAddSchool } from '#server/schools/by-name.ts';
import { plainUsername } from './rules.ts';

/** Permissions that were given or taken on the command line. */
export type Permissions = Partial<Record<Permission, boolean>>;

export interface StaffMember {
  id: number;
  username: string;
  identity: Identity;
  name: string;
  school: string;
  permissions: Permissions;
  everySchool: boolean;
  isDisabled: boolean;
  hasSecondFactor: boolean;
}

type Flags = Record<(typeof permissionColumns)[number], Flag>;

const permissionsOf = (row: Flags & { identity: Identity }): Permissions =>
  Object.fromEntries(permissionsFor(row.identity).map((permission) => [permission, row[`can_${permission}`] === 1]));

const flagsOf = (granted: Permissions) =>
  Object.fromEntries(
    permissions.map((permission) => [`can_${permission}`, flag(granted[permission] === true)]),
  ) as Flags;

const flag = (is: boolean): Flag => (is ? 1 : 0);

export async function listStaff(db: Database): Promise<StaffMember[]> {
  const rows = await staffRows(db).orderBy('staff.username').execute();
  return rows.map(memberOf);
}

export async function findStaff(db: Database, username: string): Promise<StaffMember | undefined> {
  const row = await staffRows(db).where('staff.username', '=', plainUsername(username)).executeTakeFirst();
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
      'staff.every_school',
      'staff.disabled_at',
      'staff.totp_at',
      ...permissionColumns,
    ]);

type StaffRow = Awaited<ReturnType<ReturnType<typeof staffRows>['executeTakeFirstOrThrow']>>;

function memberOf(row: StaffRow): StaffMember {
  const { id, username, identity, name, school, every_school, disabled_at, totp_at } = row;
  return {
    id,
    username,
    identity,
    name,
    school,
    permissions: permissionsOf(row),
    everySchool: every_school === 1,
    isDisabled: disabled_at !== null,
    hasSecondFactor: totp_at !== null,
  };
}

export const listSchools = (db: Database) => db.selectFrom('school').select(['id', 'org_name']).orderBy('id').execute();

export interface NewStaff {
  identity: Identity;
  username: string;
  name: string;
  /** Name of the school; it is created if it does not exist. */
  school: string;
  permissions: Permissions;
  /** Only for administrators. True: all schools, also future ones. Otherwise only `school`. */
  everySchool?: boolean;
  passwordHash: string;
}

/** Returns the person's id, or `taken` if the user name exists. */
export async function addStaff(db: Database, person: NewStaff, now: number): Promise<number | 'taken'> {
  try {
    return await withTransaction(db, async (trx) => {
      const schoolId = await findOrAddSchool(trx, person.school);
      const [unused] = await newRecordIds(trx, { table: 'staff', record: 'staff', count: 1 });
      const { id } = await trx
        .insertInto('staff')
        .values({
          id: unused,
          identity: person.identity,
          // Stored in this form because sign-in looks it up in this form.
          username: plainUsername(person.username),
          password_hash: person.passwordHash,
          real_name: person.name,
          school_id: schoolId,
          every_school: flag(person.everySchool === true),
          ...flagsOf(person.permissions),
          disabled_at: null,
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (person.identity === 'admin' && !person.everySchool) await assignSchool(trx, id, schoolId);
      await note(trx, id, 'add', null, person.permissions, now);
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  }
}

/** Sets the password and signs the person out everywhere; returns the number of ended sign-ins. */
export async function setPassword(db: Database, staffId: number, passwordHash: string, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const change = { password_hash: passwordHash, must_change_password: 0 as const };
    await trx.updateTable('staff').set(change).where('id', '=', staffId).execute();
    await note(trx, staffId, 'password', null, null, now);
    return endSignIns(trx, staffId, now);
  });
}

/** Changes the permissions; returns the previous ones. */
export async function setPermissions(
  db: Database,
  staffId: number,
  { action, permissions: named, now }: { action: 'grant' | 'revoke'; permissions: Permission[]; now: number },
): Promise<Permissions> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('staff')
      .select(['identity', ...permissionColumns])
      .where('id', '=', staffId)
      .executeTakeFirstOrThrow();
    const before = permissionsOf(row);
    const after = { ...before };
    for (const permission of named) after[permission] = action === 'grant';
    if (permissions.every((permission) => after[permission] === before[permission])) return before;
    await trx.updateTable('staff').set(flagsOf(after)).where('id', '=', staffId).execute();
    await note(trx, staffId, action, before, after, now);
    return before;
  });
}

/** Disables or enables a person. Disabling signs them out everywhere. */
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

/** Uses the current transaction, or opens one. */
const withTransaction = <T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Adds a school to an administrator of some schools. */
export async function assignSchool(db: Database, staffId: number, schoolId: number): Promise<void> {
  await db
    .insertInto('staff_school')
    .values({ staff_id: staffId, school_id: schoolId })
    .onConflict((known) => known.doNothing())
    .execute();
}
